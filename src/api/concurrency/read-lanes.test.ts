import { Hono } from "hono";
import { expect, test } from "vitest";
import { askChain, createReadLanes } from "./read-lanes.ts";

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
