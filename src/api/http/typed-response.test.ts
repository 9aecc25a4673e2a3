import { Hono } from "hono";
import { expect, test } from "vitest";
import { type Candle, type Candles, candlesRoute } from "../candles/candles.routes.ts";
import { listTokensRoute } from "../tokens/list/list-tokens.routes.ts";
import type { TokenPage } from "../tokens/list/token-page.schema.ts";
import { createRouter } from "./router.ts";
import { shareJson } from "./shared-json.ts";

/* Most of this is checked by the compiler: a line after @ts-expect-error that compiles is an error. */

const candle: Candle = {
  time: 0,
  openTime: "1970-01-01T00:00:00Z",
  openBnb: "1",
  highBnb: "1",
  lowBnb: "1",
  closeBnb: "1",
  volumeBnb: "0",
  volumeTokens: "0",
  trades: 0,
};
const body: Candles = { mint: "0x", chainId: 56, interval: "1m", candles: [candle] };
const page: TokenPage = { tokens: [], total: 0, page: 1, limit: 20, hasMore: false, nextCursor: null };
const { chainId: _, ...withoutChain } = body;
const { closeBnb: __, ...withoutClose } = candle;

test("a handler answers with what its route promises", async () => {
  const app = createRouter().openapi(candlesRoute, (c) => c.json(body, 200));
  const response = await app.request(`/api/token/0x${"0".repeat(40)}/candles`);
  expect([response.status, await response.json()]).toEqual([200, body]);
});

test("a handler that answers with anything else does not compile", () => {
  const app = createRouter();
  // @ts-expect-error: chainId is missing.
  app.openapi(candlesRoute, (c) => c.json(withoutChain, 200));
  // @ts-expect-error: a field of an entry is missing.
  app.openapi(candlesRoute, (c) => c.json({ ...body, candles: [withoutClose] }, 200));
  // @ts-expect-error: chainId is misspelled.
  app.openapi(candlesRoute, (c) => c.json({ ...withoutChain, chainID: 56 }, 200));
  // @ts-expect-error: chainId is text.
  app.openapi(candlesRoute, (c) => c.json({ ...body, chainId: "56" }, 200));
  // @ts-expect-error: it is not an interval.
  app.openapi(candlesRoute, (c) => c.json({ ...body, interval: "2m" }, 200));
  // @ts-expect-error: the route has no such status.
  app.openapi(candlesRoute, (c) => c.json(body, 201));
  // @ts-expect-error: an untyped response.
  app.openapi(candlesRoute, () => new Response(JSON.stringify(body)));
  // @ts-expect-error: no content.
  app.openapi(candlesRoute, (c) => c.body(null, 304));
});

test("a body with an extra field, such as a misspelled optional one, does not compile", () => {
  // @ts-expect-error: it is closeUsd.
  const misspelled: Candle = { ...candle, closeUSD: "1" };
  // @ts-expect-error: the page has no such field.
  const tooMuch: TokenPage = { ...page, next: null };
  expect([misspelled, tooMuch]).toHaveLength(2);
});

test("shared JSON is checked against its route as well", async () => {
  const sent = createRouter().openapi(listTokensRoute, (c) => shareJson(page).send(c, "no-cache"));
  expect(await (await sent.request("/api/tokens")).json()).toEqual(page);
  const app = createRouter();
  const { total: _, ...withoutTotal } = page;
  // @ts-expect-error: total is missing.
  app.openapi(listTokensRoute, (c) => shareJson(withoutTotal).send(c, "no-cache"));
  // @ts-expect-error: total is text.
  app.openapi(listTokensRoute, (c) => shareJson({ ...page, total: "0" }).send(c, "no-cache"));
  // @ts-expect-error: the page has no such field.
  shareJson<TokenPage>({ ...page, next: null });
});

test("long JSON is sent in chunks, whole and in order", async () => {
  const long = { text: "0123456789".repeat(60_000) };
  const response = await new Hono().get("/", (c) => shareJson(long).send(c, "no-cache")).request("/");
  expect(response.headers.get("content-length")).toBe(String(JSON.stringify(long).length));
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) chunks.push(chunk);
  expect(chunks.length).toBe(Math.ceil(JSON.stringify(long).length / 65_536));
  expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual(long);
});
