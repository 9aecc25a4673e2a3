import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, type Reply, startHttpServer } from "../../test/doubles/http-server.ts";
import { guardFetch } from "./options.ts";

const unguarded = globalThis.fetch;
let endpoint: HttpServer;
let other: HttpServer;
const visits: string[] = [];

beforeAll(async () => {
  other = await startHttpServer(async ({ url }): Promise<Reply> => {
    visits.push(url.pathname);
    if (url.pathname === "/redirect") return { status: 307, body: "", headers: { location: "/there" } };
    return { status: 200, body: "0".repeat(5_000) };
  });
  endpoint = await startHttpServer(async ({ url, body }): Promise<Reply> => {
    if (url.pathname === "/redirect") return { status: 307, body: "", headers: { location: other.url } };
    if (url.pathname === "/chunked") {
      return { status: 200, body: "0".repeat(2_000), headers: { "transfer-encoding": "chunked" } };
    }
    if (url.pathname === "/packed") {
      return { status: 200, body: gzipSync("0".repeat(2_000)), headers: { "content-encoding": "gzip" } };
    }
    return { status: 200, body: url.pathname === "/long" ? "0".repeat(2_000) : `got ${body}` };
  });
  // Twice, as when Ponder reads its config again.
  for (let time = 0; time < 2; time++) guardFetch([`${endpoint.url}/key?lane=1`], 1_000);
});

afterAll(async () => {
  globalThis.fetch = unguarded;
  await endpoint.close();
  await other.close();
});

/** Sends a request as Ponder does. */
const ask = (path: string) =>
  fetch(new Request(`${endpoint.url}${path}`, { method: "POST", body: "a question" }));

test("an endpoint's answer is passed through unchanged", async () => {
  expect(await (await ask("/")).text()).toBe("got a question");
});

test("an endpoint can't redirect the service elsewhere", async () => {
  await expect(ask("/redirect")).rejects.toThrow();
  expect(visits).toEqual([]);
});

test.each(["/long", "/chunked", "/packed"])("an answer that is too long is cut off: %s", async (path) => {
  await expect(ask(path)).rejects.toThrow("exceeded the size limit");
});

test("requests to other addresses are left alone", async () => {
  expect(await (await fetch(`${other.url}/redirect`)).text()).toHaveLength(5_000);
  expect(visits).toEqual(["/redirect", "/there"]);
});
