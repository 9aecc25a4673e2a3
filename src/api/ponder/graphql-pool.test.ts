import pg from "pg";
import { afterEach, expect, inject, test } from "vitest";
import { graphqlPool, limitGraphqlPool } from "./ponder-graphql.ts";

const ponder = globalThis as { PONDER_DATABASE?: unknown };
afterEach(() => {
  ponder.PONDER_DATABASE = undefined;
});

/** Sets up its connections as Ponder's pool does. */
class PonderClient extends pg.Client {
  // @ts-expect-error: the overloads of pg.Client.
  override connect(callback: (error: Error) => void) {
    super.connect(() => this.query("set work_mem = '512MB'", callback));
  }
}

function createPool(): pg.Pool {
  const connectionString = inject("postgresUrl");
  // @ts-expect-error: an option that pg does not document.
  return new pg.Pool({ connectionString, Client: PonderClient, max: 1 });
}

const settings =
  "select current_user as role, current_setting('work_mem') as memory, current_setting('statement_timeout') as time";
const limits = { role: "launchpad_api", memory: "16MB", time: "7s" };

test("Ponder's pool connects as the reader, with our limits instead of Ponder's, and so does the one after a reload", async () => {
  const pool = createPool();
  ponder.PONDER_DATABASE = { driver: { readonly: pool } };
  limitGraphqlPool({ url: inject("postgresReadUrl"), adopt() {} }, 7);
  expect((await pool.query(settings)).rows).toEqual([limits]);
  await pool.end();

  const next = createPool();
  ponder.PONDER_DATABASE = { driver: { readonly: next } };
  expect((await graphqlPool()?.query(settings))?.rows).toEqual([limits]);
  await next.end();
});
