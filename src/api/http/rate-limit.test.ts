import { Hono } from "hono";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRateLimit, Refusals } from "./rate-limit.ts";

test("a client is refused until its minute is over, for this kind of requests alone", async () => {
  const refusals = new Refusals();
  refusals.add("reads", "192.0.2.1", { quota: 600, msBeforeNext: 60_000 });
  refusals.add("uploads", "192.0.2.1", { quota: 20, msBeforeNext: 1 });
  expect(refusals.find("reads", "192.0.2.1")).toMatchObject({
    status: 429,
    code: "too_many_requests",
    retryAfter: 60,
    headers: { "RateLimit-Policy": '"reads";q=600;w=60', RateLimit: '"reads";r=0;t=60' },
  });
  await expect.poll(() => refusals.find("uploads", "192.0.2.1")).toBeUndefined();
  expect(refusals.find("writes", "192.0.2.1")).toBeUndefined();
  expect(refusals.find("reads", "192.0.2.2")).toBeUndefined();
});

test("no more than 10,000 clients are remembered, and those whose minute is over make room", async () => {
  const refusals = new Refusals();
  for (let client = 0; client < 10_000; client++)
    refusals.add("reads", `${client}`, { quota: 1, msBeforeNext: 60_000 });
  refusals.add("reads", "one more", { quota: 1, msBeforeNext: 60_000 });
  expect([refusals.find("reads", "9999"), refusals.find("reads", "one more")]).toEqual([
    expect.anything(),
    undefined,
  ]);
  const others = new Refusals();
  for (let client = 0; client < 10_000; client++)
    others.add("reads", `${client}`, { quota: 1, msBeforeNext: 1 });
  await expect.poll(() => others.find("reads", "9999")).toBeUndefined();
  others.add("reads", "one more", { quota: 1, msBeforeNext: 60_000 });
  expect(others.find("reads", "one more")).toBeDefined();
});

test("after the clock was set back by a day, a client is refused for its minute, not for a day", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = createRateLimit({ trustedHops: 1, sharedIn: undefined, refusals: new Refusals() });
  const app = new Hono().use(limit("reads", 2)).get("/", (c) => c.text("served"));
  const ask = async () => await app.request("/", { headers: { "x-forwarded-for": "192.0.2.1" } });
  const statuses = async (requests: number) => {
    const answers = [];
    for (let request = 0; request < requests; request++) answers.push((await ask()).status);
    return answers;
  };
  expect(await statuses(3)).toEqual([200, 200, 429]);
  vi.setSystemTime(Date.now() - 86_400_000);
  expect(await statuses(3)).toEqual([200, 200, 429]);
  expect(Number((await ask()).headers.get("retry-after"))).toBeLessThanOrEqual(60);
});
