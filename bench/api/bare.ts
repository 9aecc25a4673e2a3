import { createRequire, findPackageJSON } from "node:module";
import { Hono } from "hono";
import pg from "pg";
import { receiveMessage, sendMessage } from "../shared/process.ts";

/*
 * A route that runs `select 1`, on the HTTP server that Ponder uses. It shows the cost of HTTP, Hono, the driver, Postgres and the
 * machine, which every route has. Its job is the URL of the database, and its message the URL of the route.
 */

type Options = { fetch: Hono["fetch"]; port: number; hostname: string };
type Serve = (options: Options, onListening: (address: { port: number }) => void) => unknown;
const ofPonder = createRequire(findPackageJSON("ponder", import.meta.url) ?? import.meta.url);
const { serve } = ofPonder("@hono/node-server") as { serve: Serve };

/** The REST API has as many connections. */
const pool = new pg.Pool({ connectionString: await receiveMessage<string>(), max: 10 });

const app = new Hono();
app.get("/", async (c) => {
  const { rows } = await pool.query("select 1");
  return c.json(rows);
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
  void sendMessage(`http://127.0.0.1:${port}`);
});
