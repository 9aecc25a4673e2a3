import { Hono } from "hono";
import { expect, test } from "vitest";
import { limitConcurrency } from "./limit-concurrency.ts";

test("so many run, so many wait, one more is told to come back; and every turn is passed on", async () => {
  const app = new Hono();
  const finish: (() => void)[] = [];
  app.get("/", limitConcurrency({ running: 2, waiting: 1 }), async (c) => {
    await new Promise<void>((resolve) => finish.push(resolve));
    return c.text("done");
  });
  const running = [app.request("/"), app.request("/")];
  await expect.poll(() => finish.length).toBe(2);
  const waiting = app.request("/");
  const refused = await app.request("/");
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
  expect(finish).toHaveLength(2);

  finish[0]?.();
  await expect.poll(() => finish.length).toBe(3);
  finish[1]?.();
  finish[2]?.();
  for (const response of [...running, waiting]) expect(await (await response).text()).toBe("done");

  const after = app.request("/");
  await expect.poll(() => finish.length).toBe(4);
  finish[3]?.();
  expect((await after).status).toBe(200);
});
