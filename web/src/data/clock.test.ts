import { afterEach, beforeEach, expect, test, vi } from "vitest";

const hourMs = 3_600_000;
const device = Date.parse("2026-05-01T12:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: device });
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("navigator", { onLine: true, languages: [] });
  vi.stubGlobal("document", Object.assign(new EventTarget(), { querySelectorAll: () => [] }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

test.each([
  ["an hour behind", hourMs, hourMs],
  ["in another time zone's time", -8 * hourMs, -8 * hourMs],
  ["right, as far as an answer can say", 2_000, 0],
])("ages are right on a device whose clock is %s", async (_, service, corrected) => {
  const headers = { date: new Date(device + service).toUTCString() };
  vi.stubGlobal("fetch", async () => Response.json({ ok: true, status: "up" }, { headers }));
  const { watchHealth } = await import("./chain.ts");
  const { now } = await import("../parts/time.tsx");
  expect(now.value).toBe(device);
  watchHealth();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(now.value).toBe(device + corrected + 5_000);
});
