import { Hono } from "hono";
import { expect, test } from "vitest";
import { handleError } from "../http/error-handler.ts";
import { limitBody } from "./mcp.ts";

test("two large bodies at a time are accepted from one client, and eight from all", async () => {
  const held = Promise.withResolvers<void>();
  const app = new Hono().post("/", limitBody(1), async (c) => {
    await c.req.text();
    await held.promise;
    return c.text("done");
  });
  app.onError(handleError);
  const post = (client: number, bytes: number) => {
    const headers = { "content-length": String(bytes), "x-forwarded-for": `192.0.2.${client}` };
    return app.request("/", { method: "POST", body: "x".repeat(bytes), headers });
  };
  const large = 300_000;
  const accepted = [1, 1, 2, 2, 3, 3, 4, 4].map((client) => post(client, large));
  for (const client of [1, 5]) await expect(post(client, large)).resolves.toHaveProperty("status", 503);
  accepted.push(post(1, 1_000));
  held.resolve();
  expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual(Array(9).fill(200));
  expect((await post(5, large)).status).toBe(200);
  expect((await post(5, 7_200_000)).status).toBe(413);
});

test("a large body that stalls makes room for another, and is refused", async () => {
  const app = new Hono().post("/", limitBody(1, { stallMs: 0 }), async (c) => {
    const { length } = await c.req.text();
    return c.text(String(length));
  });
  app.onError(handleError);
  const bytes = 300_000;
  const post = (client: number, body: string | ReadableStream) => {
    const headers = { "content-length": String(bytes), "x-forwarded-for": `192.0.2.${client}` };
    return app.request("/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
  };
  const begun = () => new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(10)) });
  const stalling = [1, 1, 2, 2, 3, 3, 4, 4].map((client) => post(client, begun()));
  const whole = await post(5, "x".repeat(bytes));
  expect([whole.status, await whole.text()]).toEqual([200, String(bytes)]);
  const refused = (await Promise.race(stalling)) as Response;
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "busy" }]);
});
