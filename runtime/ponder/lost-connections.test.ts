import { execFile } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { expect, inject, onTestFinished, test } from "vitest";
import { projectDir } from "./ponder.ts";

/** Starts a proxy to Postgres that cuts the connection at a message with this text. Returns its URL. */
async function cutAt(text: string): Promise<string> {
  const url = new URL(inject("postgresUrl"));
  const target = { host: url.hostname, port: Number(url.port) };
  const server = net.createServer((incoming) => {
    const outgoing = net.connect(target);
    for (const socket of [incoming, outgoing]) socket.on("error", () => {});
    incoming.on("data", (chunk) => {
      if (chunk.includes(text)) incoming.destroy();
      else outgoing.write(chunk);
    });
    outgoing.pipe(incoming);
    incoming.on("close", () => outgoing.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  url.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  return url.href;
}

// As in Ponder's pools, a client sends its own query before its pool knows that it is connected.
const program = `
import pg from "pg";
class Client extends pg.Client {
  connect(connected) {
    super.connect(() => this.query("set work_mem = '1MB'", connected));
  }
}
const pool = new pg.Pool({ connectionString: process.argv[1], statement_timeout: 1234, Client });
pool.on("error", () => {});
console.log(await pool.query("select").catch((error) => error.message));
await pool.end();
`;

test.each(["set statement_timeout", "set work_mem", "select"])(
  "a process lives on when its connection is lost at %s",
  async (text) => {
    const preload = `--import=${path.join(projectDir, "runtime/ponder/preload.ts")}`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [preload, "--no-warnings", "--input-type=module", "--eval", program, await cutAt(text)],
      { cwd: projectDir },
    );
    expect(stdout).toMatch(/^(Connection terminated unexpectedly|Client has encountered)/);
  },
);
