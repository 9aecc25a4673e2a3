import { Hono } from "hono";
import { expect, test } from "vitest";
import { handleError } from "../http/error-handler.ts";
import { limitBody } from "./mcp.ts";

test("two large bodies at a time are accepted from one client, and eight from all", async () => {
  const held = Promise.withResolvers<void>();
  const app = new Hono().post("/", limitBody(1), async (c) => {
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
