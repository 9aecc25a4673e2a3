import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../service/condition.ts";
import type { Indexer } from "../../service/indexer.ts";
import { connect, problemIn, type RawClient } from "../../service/raw-client.ts";
import type { ConnectionsServed } from "./served.ts";

export function testSlowClients(served: () => ConnectionsServed): void {
  let replica: Indexer;
  const clients: RawClient[] = [];

  beforeAll(() => {
    ({ replica } = served());
  });

  afterAll(() => {
    for (const client of clients) client.close();
  });

  async function open(): Promise<RawClient> {
    const client = await connect(replica.port);
    clients.push(client);
    return client;
  }

  const head = (path: string, ...headers: string[]) =>
    [`POST ${path} HTTP/1.1`, "host: localhost", ...headers, "", ""].join("\r\n");
  const json = "content-type: application/json";
  const form = "content-type: multipart/form-data; boundary=x";

  test.concurrent.each([
    ["headers whose end never comes", "GET /api HTTP/1.1\r\nhost: localhost\r\n"],
    ["a registration's body", head("/api/tokens", json, "content-length: 1000")],
    [
      "a registration's body in chunks",
      `${head("/api/tokens", json, "transfer-encoding: chunked")}1\r\n{\r\n`,
    ],
    ["an upload", head("/api/upload-image", form, "content-length: 1000000")],
    ["a GraphQL query", head("/graphql", json, "content-length: 1000")],
  ])("%s: 408 after some seconds, and the connection is closed", async (_, text) => {
    const client = await open();
    client.send(text);
    const trickle = setInterval(() => client.send("x"), 1_000);
    // Bytes in the middle of a chunk would be a different error.
    if (text.includes("chunked") || text.startsWith("GET")) clearInterval(trickle);
    const answer = await client.closed();
    clearInterval(trickle);
    // Uploads must keep a minimum rate of their own.
    expect(problemIn(answer)).toMatchObject({
      status: 408,
      code: expect.stringMatching(/^(request|upload)_timeout$/),
    });
  });

  test.concurrent("idle bodies don't keep others from registering", async () => {
    const idle = await Promise.all(Array.from({ length: 60 }, open));
    for (const client of idle) client.send(head("/api/tokens", json, "content-length: 1000"));
    for (const client of idle) await client.closed();
    const response = await fetch(`${replica.url}/api/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect([400, 429]).toContain(response.status);
  });

  test.concurrent("a body that ends early is not logged as an error", async () => {
    for (const path of ["/api/tokens", "/graphql"]) {
      const client = await open();
      client.send(head(path, json, "content-length: 1000"));
      client.send("{");
      await until("it to be sent", async () => client.socket.writableLength === 0);
      client.socket.end();
      await client.closed();
    }
    expect((await fetch(`${replica.url}/api/health`)).status).toBe(200);
    expect(replica.output()).not.toMatch(/aborted|ECONNRESET/);
  });

  test.concurrent("100 large unread answers use little memory, and are not kept forever", async () => {
    const { url, pid } = replica;
    const page = await (await fetch(`${url}/docs`)).text();
    const [bundle] = /\/docs\/assets\/[^"]+bundle\.js/.exec(page) ?? [];
    await (await fetch(url + bundle)).text();
    const before = peakMemory(pid);

    const unread = await Promise.all(Array.from({ length: 100 }, open));
    // Four each, more than the system's buffers hold.
    for (const client of unread) client.send(`GET ${bundle} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(4));
    await until("them to be cut off", async () => {
      const other = await open();
      other.send("GET /api/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
      expect(await other.answers()).toEqual([200]);
      // A client that reads nothing notices the closed connection only by writing.
      for (const client of unread) client.send("\r\n");
      return unread.every((client) => client.isClosed());
    });
    expect(peakMemory(pid) - before).toBeLessThan(200_000_000);
  });
}

/** The process's peak memory so far, in bytes. */
function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;
}
