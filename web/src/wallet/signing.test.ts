import { expect, test, vi } from "vitest";
import { signingTime } from "./signing.ts";

vi.hoisted(() => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", new EventTarget());
});

const noon = Date.UTC(2026, 0, 31, 12);
const headers = (fields: Record<string, string> = { date: new Date(noon).toUTCString() }) =>
  new Headers(fields);

test("a clock that is right is the time of a signature", () => {
  expect([noon - 30_000, noon + 1_900].map((now) => signingTime(headers(), now))).toEqual([
    noon / 1_000 - 30,
    noon / 1_000 + 1,
  ]);
});

test("for a clock that is wrong, it is the service's time", () => {
  const wrong = [noon - 86_400_000, noon + 600_000];
  expect(wrong.map((now) => signingTime(headers(), now))).toEqual([noon / 1_000, noon / 1_000]);
});

test("an answer from a cache is older by its age", () => {
  const cached = headers({ date: new Date(noon - 600_000).toUTCString(), age: "600" });
  expect(signingTime(cached, noon + 5_000)).toBe(noon / 1_000 + 5);
});

test.each([[{}], [{ date: "soon" }]])("without a time of the service (%j), the clock counts", (fields) => {
  expect(signingTime(headers(fields), noon)).toBe(noon / 1_000);
});
