import { EventEmitter } from "node:events";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { ClientGoneError } from "../http/problem.ts";
import {
  askChain,
  createImageSemaphore,
  createListSemaphores,
  createReadLanes,
  hangUpSignal,
} from "./read-lanes.ts";

test("requests that wait for a chain's endpoints hold up none that only read, and ten ask at a time", async () => {
  const endpoint = Promise.withResolvers<void>();
  const allAsked = Promise.withResolvers<void>();
  let asked = 0;
  let received = 0;
  const app = new Hono().use(createReadLanes({ trustedHops: 1 }));
  app.get("/api/token/:mint/quote", async (c) => {
    if (++received === 40) allAsked.resolve();
    await askChain(c, async () => {
      asked++;
      await endpoint.promise;
    });
    return c.text("quoted");
  });
  app.get("/api/token/:mint", (c) => c.text("read"));
  const get = async (path: string, client: number) =>
    await app.request(path, { headers: { "x-forwarded-for": `192.0.2.${client}` } });

  const quotes = Array.from({ length: 40 }, (_, index) => get("/api/token/0x1/quote", 1 + (index % 2)));
  await allAsked.promise;
  expect((await get("/api/token/0x1", 3)).status).toBe(200);
  expect(asked).toBe(10);
  endpoint.resolve();
  expect((await Promise.all(quotes)).map(({ status }) => status)).toEqual(Array(40).fill(200));
  expect(asked).toBe(40);
});

test("requests of aggregators hold up none of those that people wait for", async () => {
  const database = Promise.withResolvers<void>();
  const app = new Hono().use(createReadLanes({ trustedHops: 1 }));
  let reading = 0;
  app.get("/api/coingecko/tickers", async (c) => {
    reading++;
    await database.promise;
    return c.text("read");
  });
  for (const path of ["/api/token/:mint/candles", "/api/account/:address", "/api/trades"])
    app.get(path, (c) => c.text("read"));
  const get = async (path: string, client: number) =>
    await app.request(path, { headers: { "x-forwarded-for": `192.0.2.${client}` } });

  const feeds = Array.from({ length: 20 }, (_, index) => get("/api/coingecko/tickers", index));
  for (const path of ["/api/token/0x1/candles", "/api/account/0x1", "/api/trades"])
    expect((await get(path, 99)).status).toBe(200);
  expect(reading).toBe(2);
  database.resolve();
  expect(new Set((await Promise.all(feeds)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("a hundred images that one client asks for are looked up two at a time, and leave a connection to another client", async () => {
  const database = Promise.withResolvers<void>();
  const semaphoreOf = createImageSemaphore({ trustedHops: 1 });
  const app = new Hono();
  const reading: string[] = [];
  app.get("/ipfs/:cid", async (c) => {
    await semaphoreOf(c)(async () => {
      reading.push(c.req.param("cid"));
      await database.promise;
    });
    return c.text("image");
  });
  const get = async (cid: string, client: number) =>
    await app.request(`/ipfs/${cid}`, { headers: { "x-forwarded-for": `192.0.2.${client}` } });

  const images = Array.from({ length: 100 }, () => get("a", 1));
  images.push(get("b", 2));
  await expect.poll(() => reading).toEqual(["a", "a", "b"]);
  database.resolve();
  expect(new Set((await Promise.all(images)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("requests that read all holders of a token hold up none that read a page", async () => {
  const database = Promise.withResolvers<void>();
  const app = new Hono().use(createReadLanes({ trustedHops: 1 }));
  let reading = 0;
  app.get("/api/token/:mint/holders", async (c) => {
    if (c.req.query("at") === undefined && c.req.header("accept") === undefined) return c.text("page");
    reading++;
    await database.promise;
    return c.text("all");
  });
  const get = async (query: string, client: number, headers = {}) =>
    await app.request(`/api/token/0x1/holders${query}`, {
      headers: { "x-forwarded-for": `192.0.2.${client}`, ...headers },
    });

  const csv = ["text/csv", "Text/CSV", "*/*, application/json;q=0"];
  const all = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? get("?at=5", index) : get("", index, { accept: csv[(index >> 1) % csv.length] }),
  );
  expect(await (await get("", 99)).text()).toBe("page");
  expect(reading).toBe(2);
  database.resolve();
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("large answers of candles hold up none of the usual size", async () => {
  const database = Promise.withResolvers<void>();
  const app = new Hono().use(createReadLanes({ trustedHops: 1 }));
  let reading = 0;
  app.get("/api/token/:mint/candles", async (c) => {
    if (c.req.query("limit") !== "1500") return c.text("some");
    reading++;
    await database.promise;
    return c.text("many");
  });
  const get = async (query: string, client: number) =>
    await app.request(`/api/token/0x1/candles${query}`, {
      headers: { "x-forwarded-for": `192.0.2.${client}` },
    });

  const large = Array.from({ length: 20 }, (_, index) => get("?limit=1500", index));
  for (const query of ["", "?limit=500"]) expect(await (await get(query, 99)).text()).toBe("some");
  expect(reading).toBe(2);
  database.resolve();
  expect(new Set((await Promise.all(large)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("searches for symbols of charts take turns among searches, and hold up none that only read", async () => {
  const database = Promise.withResolvers<void>();
  const { searchSemaphore } = createListSemaphores({ trustedHops: 1 });
  const app = new Hono().use(createReadLanes({ trustedHops: 1 }));
  let searching = 0;
  app.get("/api/udf/search", async (c) => {
    await searchSemaphore(c)(async () => {
      searching++;
      await database.promise;
    });
    return c.text("found");
  });
  app.get("/api/token/:mint", (c) => c.text("read"));
  const get = async (path: string, client: number) =>
    await app.request(path, { headers: { "x-forwarded-for": `192.0.2.${client}` } });

  const searches = Array.from({ length: 20 }, (_, index) => get("/api/udf/search", index));
  await expect.poll(() => searching).toBe(3);
  expect((await get("/api/token/0x1", 99)).status).toBe(200);
  database.resolve();
  expect(new Set((await Promise.all(searches)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("one client searches once at a time", async () => {
  const { searchSemaphore } = createListSemaphores({ trustedHops: 1 });
  const app = new Hono();
  const searching: string[] = [];
  const databases: PromiseWithResolvers<void>[] = [];
  app.get("/api/tokens", async (c) => {
    await searchSemaphore(c)(async () => {
      searching.push(c.req.query("q") ?? "");
      const database = Promise.withResolvers<void>();
      databases.push(database);
      await database.promise;
    });
    return c.text("found");
  });
  const get = async (q: string, client: number) =>
    await app.request(`/api/tokens?q=${q}`, { headers: { "x-forwarded-for": `192.0.2.${client}` } });

  const answers = [get("first", 1), get("second", 1), get("other", 2)];
  await expect.poll(() => searching).toEqual(["first", "other"]);
  databases[0]?.resolve();
  await expect.poll(() => searching).toEqual(["first", "other", "second"]);
  for (const { resolve } of databases) resolve();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test("a search hears that its client has gone, and keeps its turn until it has ended", async () => {
  const { searchSemaphore } = createListSemaphores({ trustedHops: 1 });
  const outgoing = new EventEmitter();
  const app = new Hono();
  const searching: string[] = [];
  const database = Promise.withResolvers<void>();
  const signals: (AbortSignal | undefined)[] = [];
  app.get("/api/tokens", async (c) => {
    await searchSemaphore(c)(async (signal) => {
      searching.push(c.req.query("q") ?? "");
      signals.push(signal);
      await database.promise;
    });
    return c.text("found");
  });
  const abandoned = app.request("/api/tokens?q=first", {}, { outgoing });
  const next = app.request("/api/tokens?q=second", {}, { outgoing: new EventEmitter() });
  await expect.poll(() => searching).toEqual(["first"]);
  outgoing.emit("close");
  expect(signals[0]?.reason).toBeInstanceOf(ClientGoneError);
  expect(searching).toEqual(["first"]);
  database.resolve();
  await Promise.all([abandoned, next]);
  expect(searching).toEqual(["first", "second"]);
});

test("pages of the list that one client asks for leave most turns to others", async () => {
  const database = Promise.withResolvers<void>();
  const { entrySemaphore } = createListSemaphores({ trustedHops: 1 });
  const app = new Hono();
  let reading = 0;
  app.get("/api/tokens", async (c) => {
    await entrySemaphore(c)(async () => {
      reading++;
      await database.promise;
    });
    return c.text("page");
  });
  const get = async (client: number) =>
    await app.request("/api/tokens", { headers: { "x-forwarded-for": `192.0.2.${client}` } });

  const pages = Array.from({ length: 100 }, () => get(1));
  await expect.poll(() => reading).toBe(4);
  pages.push(get(2));
  await expect.poll(() => reading).toBe(5);
  database.resolve();
  expect(new Set((await Promise.all(pages)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("all requests that one response answers, as those of a call of MCP, listen once for its end", async () => {
  const outgoing = new EventEmitter();
  const signals: AbortSignal[] = [];
  const app = new Hono().use(createReadLanes({ trustedHops: 1 }));
  app.get("/api/token/:mint/quote", async (c) => {
    signals.push(hangUpSignal(c));
    return c.text(await askChain(c, async () => "quoted"));
  });
  for (let count = 0; count < 6; count++) await app.request("/api/token/0x1/quote", {}, { outgoing });
  expect(outgoing.listenerCount("close")).toBe(1);
  expect(signals.map(({ aborted }) => aborted)).toEqual(Array(6).fill(false));
  outgoing.emit("close");
  for (const { reason } of signals) expect(reason).toBeInstanceOf(ClientGoneError);
});
