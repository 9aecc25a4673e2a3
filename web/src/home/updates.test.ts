import { afterEach, expect, test, vi } from "vitest";
import { inView, listKinds, noteEvent } from "./updates.ts";

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
