import { Hono } from "hono";
import { expect, test } from "vitest";
import { etagOf, jsonWithEtag } from "./etag.ts";

const body = '{"a":1}';
const etag = etagOf(body);
const app = new Hono().get("/", (c) => jsonWithEtag(c, body, etag, "no-cache"));

test("other text has another validator", () => {
  expect(etagOf('{"a":2}')).not.toBe(etag);
  expect(etagOf(body)).toBe(etag);
});

test.each([
  [undefined, 200],
  ['"other"', 200],
  [etag, 304],
  [`W/${etag}`, 304],
  [`"other" , W/${etag}`, 304],
  ["*", 304],
  [etag.slice(1, -1), 200],
  ["", 200],
])("If-None-Match %s: %i", async (ifNoneMatch, status) => {
  const headers: Record<string, string> = ifNoneMatch === undefined ? {} : { "If-None-Match": ifNoneMatch };
  const response = await app.request("/", { headers });
  expect([response.status, response.headers.get("etag"), response.headers.get("cache-control")]).toEqual([
    status,
    etag,
    "no-cache",
  ]);
  expect(await response.text()).toBe(status === 304 ? "" : body);
});

test("bytes are sent in parts, whole and in order", async () => {
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
  const sending = new Hono().get("/", (c) => jsonWithEtag(c, bytes, etag, "no-cache"));
  const response = await sending.request("/");
  expect(response.headers.get("content-length")).toBe("300000");
  const parts: Uint8Array[] = [];
  for await (const part of response.body ?? []) parts.push(part);
  expect(parts.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 65_536, 37_856]);
  expect(new Uint8Array(Buffer.concat(parts))).toEqual(bytes);
});
