import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { projectDir } from "./ponder.ts";

const program = `
import pg from "pg";
const pool = new pg.Pool({ connectionString: process.argv[1], statement_timeout: 1234 });
const client = await pool.connect();
const { rows } = await client.query("show statement_timeout");
console.log(JSON.stringify({ ...rows[0], start: client.getStartupConf() }));
client.release();
await pool.end();
const failed = await new pg.Client({ connectionString: "postgres://127.0.0.1:1/x", statement_timeout: 5 }).connect().catch(String);
if (!failed.includes("ECONNREFUSED")) throw new Error(failed);
`;

test.each(["writes", "reads"])(
  "of the role that %s: a timeout is set once the connection is there, and not by how it starts",
  async (role) => {
    const url = role === "reads" ? inject("postgresReadUrl") : inject("postgresUrl");
    const preload = `--import=${path.join(projectDir, "runtime/ponder/preload.ts")}`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [preload, "--no-warnings", "--input-type=module", "--eval", program, url],
      { cwd: projectDir },
    );
    const { statement_timeout: timeout, start } = JSON.parse(stdout);
    expect(timeout).toBe("1234ms");
    expect(start).not.toHaveProperty("statement_timeout");
  },
);
