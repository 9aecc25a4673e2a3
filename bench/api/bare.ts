import { createRequire, findPackageJSON } from "node:module";
import { Hono } from "hono";
import pg from "pg";

/*
 * A route that runs `select 1`, on the HTTP server that Ponder uses. It shows the cost of HTTP, Hono, the driver, Postgres and the
 * machine, which every route has.
 */

type Serve = (options: { fetch: Hono["fetch"]; port: number; hostname: string }) => unknown;
const ofPonder = createRequire(findPackageJSON("ponder", import.meta.url) ?? import.meta.url);
const { serve } = ofPonder("@hono/node-server") as { serve: Serve };

const [port, databaseUrl] = process.argv.slice(2);
/** The REST API has as many connections. */
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

const app = new Hono();
app.get("/", async (c) => {
  const { rows } = await pool.query("select 1");
  return c.json(rows);
});
serve({ fetch: app.fetch, port: Number(port), hostname: "127.0.0.1" });
