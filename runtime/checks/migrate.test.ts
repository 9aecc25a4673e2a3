import { once } from "node:events";
import net from "node:net";
import { expect, test } from "vitest";
import { createDatabase } from "../../test/service/database.ts";
import { migrate } from "./database.ts";

/** Postgres's ErrorResponse. */
function fatal(code: string, message: string): Buffer {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`;
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + fields.length);
  return Buffer.concat([Buffer.from("E"), length, Buffer.from(fields)]);
}

test("a Postgres that ends the connection when nothing runs on it is reported in one line", async () => {
  const authenticated = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0]);
  const ready = Buffer.from([90, 0, 0, 0, 5, 73]);
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    const bye = fatal("57P01", "terminating connection due to administrator command");
    socket.once("data", () => socket.end(Buffer.concat([authenticated, ready, bye])));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as net.AddressInfo;
  const migrated = migrate(`postgres://owner@127.0.0.1:${port}/launchpad`, { log: () => {} });
  await expect(migrated).rejects.toThrow(
    /^the database postgres:.* can't be used \(.*\): check DATABASE_URL/,
  );
  server.close();
});

test("a database that can't be used is named without its password, wherever that is in the URL", async () => {
  for (const url of [
    "postgres://owner:of%20ours@127.0.0.1:1/launchpad",
    "postgres://127.0.0.1:1/launchpad?user=owner&password=of%20ours",
  ]) {
    const reason = await migrate(url, { log: () => {} }).catch(String);
    expect(reason).toMatch(/^StartError: the database postgres:.*….* can't be used/);
    expect(reason).not.toMatch(/of(%20|\+| )ours/);
  }
});

test("a read-only database is named, with what to do", async () => {
  const database = await createDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`alter database "${name}" set default_transaction_read_only = on`);
  await expect(migrate(database.url, { log: () => {} })).rejects.toThrow(
    /^the database is read-only \(cannot execute .* in a read-only transaction\): DATABASE_URL must lead to the primary/,
  );
  await database.drop();
});

test("a start waits for a Postgres that is starting, and says so once", async () => {
  const database = await createDatabase();
  const { hostname, port } = new URL(database.url);
  let refused = 0;
  const server = net.createServer((incoming) => {
    if (refused < 3) {
      refused++;
      incoming.once("data", () => incoming.end(fatal("57P03", "the database system is starting up")));
      return;
    }
    const outgoing = net.connect(Number(port), hostname);
    incoming.pipe(outgoing).pipe(incoming);
    for (const socket of [incoming, outgoing]) socket.on("error", () => {});
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = Object.assign(new URL(database.url), {
    port: String((server.address() as net.AddressInfo).port),
  });
  try {
    await database.query("drop schema offchain cascade");
    const lines: string[] = [];
    await migrate(url.href, { log: (line) => lines.push(line) });
    expect([refused, lines]).toEqual([3, ["waiting for the database (the database system is starting up)"]]);
    await database.query("select from offchain.registration");

    refused = 0;
    const stop = new AbortController();
    const stopped = migrate(url.href, { log: () => stop.abort(), signal: stop.signal });
    await expect(stopped).rejects.toThrow("aborted");
  } finally {
    server.close();
    await database.drop();
  }
});
