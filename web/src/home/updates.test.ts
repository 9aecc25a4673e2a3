import { afterEach, expect, test, vi } from "vitest";
import { inView, listKinds, newTokenCount, noteEvent, noteRange, resetNewTokens } from "./updates.ts";

afterEach(() => {
  vi.useRealTimers();
  inView.list = undefined;
});

test("tokens that could not be read are read again with the next one that changes", async () => {
  vi.useFakeTimers();
  const mints = ["0xa", "0xb"];
  const refresh = vi.fn(async () => false);
  refresh.mockRejectedValueOnce(new Error("offline"));
  const list = { has: () => true, row: (index: number) => ({ mint: mints[index] }), refresh };
  Object.assign(inView, { list, first: 0, last: mints.length });

  noteEvent({ kind: "trade", mint: "0xa", block: 7 } as never);
  await vi.advanceTimersByTimeAsync(10_000);
  noteEvent({ kind: "trade", mint: "0xb", block: 6 } as never);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refresh.mock.calls).toEqual([
    [["0xa"], 7],
    [["0xa", "0xb"], 7],
  ]);
});

test("a token whose liquidity is removed is read again", async () => {
  vi.useFakeTimers();
  const refresh = vi.fn(async () => false);
  Object.assign(inView, {
    list: { has: () => true, row: () => ({ mint: "0xa" }), refresh },
    first: 0,
    last: 1,
  });
  const kind = listKinds.find((one) => one === "liquidity_removed");
  noteEvent({ kind, mint: "0xa", block: 8 } as never);
  // The test before has left its reading in the future.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refresh.mock.calls).toEqual([[["0xa"], 8]]);
});

test("a token that changes out of view is read again once it is in view", async () => {
  vi.useFakeTimers();
  const refresh = vi.fn(async () => false);
  const list = { has: () => true, row: (index: number) => ({ mint: `0x${index}` }), refresh } as never;
  noteRange(list, 10, 12);
  noteEvent({ kind: "trade", mint: "0x1", block: 9 } as never);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refresh).not.toHaveBeenCalled();
  noteRange(list, 0, 2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refresh.mock.calls).toEqual([[["0x1"], 9]]);
});

test("a token counts as new once, and one whose registration was changed doesn't", () => {
  vi.useFakeTimers({ now: Date.parse("2026-05-01T12:00:00Z") });
  Object.assign(inView, { list: { has: () => false, row: () => undefined }, first: 0, last: 1 });
  resetNewTokens();
  const register = (mint: string, registeredAt: string) =>
    noteEvent({ kind: "registered", mint, registeredAt, removed: false } as never);
  register("0xa", "2026-05-01T11:59:59Z");
  register("0xa", "2026-05-01T11:59:59Z");
  register("0xb", "2026-04-01T12:00:00Z");
  expect(newTokenCount.value).toBe(1);
  // In a tab that was hidden for an hour, they come late.
  vi.setSystemTime(Date.parse("2026-05-01T13:00:00Z"));
  register("0xc", "2026-05-01T12:01:00Z");
  expect(newTokenCount.value).toBe(2);
  resetNewTokens();
  expect(newTokenCount.value).toBe(0);
});
