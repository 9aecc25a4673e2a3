import pg from "pg";
import { afterEach, expect, inject, test } from "vitest";
import { limitGraphqlPool } from "./ponder-graphql.ts";

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

test("Ponder's pool connects as the reader, with our limits instead of Ponder's", async () => {
  // @ts-expect-error: an option that pg does not document.
  const pool = new pg.Pool({ connectionString: inject("postgresUrl"), Client: PonderClient, max: 1 });
  ponder.PONDER_DATABASE = { driver: { readonly: pool } };
  limitGraphqlPool({ url: inject("postgresReadUrl"), adopt() {} }, 7);
  const { rows } = await pool.query(
    "select current_user as role, current_setting('work_mem') as memory, current_setting('statement_timeout') as time",
  );
  await pool.end();
  expect(rows).toEqual([{ role: "launchpad_api", memory: "16MB", time: "7s" }]);
});
