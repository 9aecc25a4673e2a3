import { createRequire, findPackageJSON } from "node:module";
import { Hono } from "hono";
import pg from "pg";

/*
 * A route that asks the database for nothing: what HTTP, Hono, the driver, Postgres and the machine take, whatever is served.
 * On the HTTP server that Ponder uses.
 */

type Serve = (options: { fetch: Hono["fetch"]; port: number; hostname: string }) => unknown;
const ofPonder = createRequire(findPackageJSON("ponder", import.meta.url) ?? import.meta.url);
const { serve } = ofPonder("@hono/node-server") as { serve: Serve };

const [port, databaseUrl] = process.argv.slice(2);
/** As many as the REST API has. */
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

const app = new Hono();
app.get("/", async (c) => {
  const { rows } = await pool.query("select 1");
  return c.json(rows);
});
serve({ fetch: app.fetch, port: Number(port), hostname: "127.0.0.1" });
