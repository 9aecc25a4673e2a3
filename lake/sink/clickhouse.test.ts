import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import { ClickHouseError, openClickHouse, parseAddress } from "./clickhouse.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** A server that answers each request, after the one for its version, with this body and the status 200. */
async function connectTo(body: string) {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end(requests++ === 0 ? '{"version":"26.7.1.1"}\n' : body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(() => server.close());
  const { port } = server.address() as { port: number };
  return await openClickHouse(parseAddress(`clickhouse://127.0.0.1:${port}`), new AbortController().signal);
}

test.each([
  ["clickhouse://host/db", "http://host:8123/"],
  ["clickhouse://host/db?secure", "https://host:8443/"],
  ["clickhouse://host:80/db", "http://host/"],
  ["clickhouse://host:443/db?secure", "https://host/"],
  ["clickhouse://host:443/db", "http://host:443/"],
  ["clickhouse://host:80/db?secure=1", "https://host:80/"],
  ["clickhouse://user:80@[::1]:8124", "http://[::1]:8124/"],
  ["clickhouse://user:80@[::1]", "http://[::1]:8123/"],
])("%s is asked at %s", (text, url) => expect(parseAddress(text).url.href).toBe(url));

test("a password that is not in the address, where everyone on the machine sees it, may come from elsewhere", () => {
  expect(parseAddress("clickhouse://user@host", "a@b").password).toBe("a@b");
  expect(parseAddress("clickhouse://user:own%40@host", "a@b").password).toBe("own@");
  expect(parseAddress("clickhouse://user@host").password).toBe("");
});

test.each([
  "clickhouse://user:12/secret@host/db",
  "clickhouse://user:12?secret@host/db",
  "clickhouse://user:12#secret@host/db",
  "clickhouse://user:secret@host/db#x",
  "clickhouse://user:12%secret@host/db",
  "clickhouse://user:%ffsecret@host/db",
  "clickhouse://user:secret#@host/db",
])("%s is refused, without a word of the password", (text) => {
  expect(() => parseAddress(text)).toThrow("a password has %40 for an @");
  expect(() => parseAddress(text)).not.toThrow("secret");
});

test.each([
  ["a proxy's page", "<html>We'll be back soon</html>"],
  ["an error after the status", "Code: 241. DB::Exception: Memory limit exceeded\n"],
  ["half a row", '{"version":'],
])("%s is no success of a statement and no rows, and is tried again", async (_, body) => {
  const clickHouse = await connectTo(body);
  for (const ask of [
    () => clickHouse.insert("trades", ["id"], Buffer.from("1\n"), "56-0-0"),
    () => clickHouse.run("alter table trades drop partition 1"),
    () => clickHouse.rows("select 1"),
  ]) {
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ClickHouseError);
    expect((error as ClickHouseError).isTemporary).toBe(true);
  }
});
