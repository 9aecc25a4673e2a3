import { expect, test } from "vitest";
import type { StreamEvent } from "../data/client.ts";
import {
  afterEvent,
  type BrowserAlert,
  toAlert,
  toValues,
  withAlert,
  withEvent,
  withValues,
} from "./alert.ts";

const address = `0x${"5a".repeat(20)}`;
const other = `0x${"12".repeat(20)}`;
const alert: BrowserAlert = { occasion: "marketCap", address, name: "Frog", direction: "above", limit: "5" };
const values = toValues({ priceBnb: "0.000001", marketCapBnb: "4", progress: 30, graduated: false });
const worth = (marketCap: number) => ({ ...values, marketCap });

/** An alert after the token had these market caps one after another; 1 is the time of each. */
const after = (start: BrowserAlert, caps: number[]) =>
  caps.reduce((before, cap) => withValues(before, worth(cap), 1), start);

test.each<[string, Partial<BrowserAlert>, number[], boolean]>([
  ["rises over the limit", {}, [4, 6], true],
  ["reaches the limit exactly", {}, [4, 5], true],
  ["is above at the start", {}, [6, 7], false],
  ["is above at the start, falls, and rises again", {}, [6, 4, 5.1], true],
  ["stays below", {}, [4, 4.9], false],
  ["was below when last seen, before a gap", { isArmed: true }, [9], true],
  ["was above when last seen, before a gap", { isArmed: false }, [9], false],
  ["falls below the limit", { direction: "below" }, [6, 4], true],
  ["is below at the start", { direction: "below" }, [4, 3], false],
  ["is not known", {}, [4, Number.NaN], false],
])("an alert about a market cap that %s: %j %j %j", (_, changes, caps, fires) => {
  expect(after({ ...alert, ...changes }, caps).firedAt !== undefined).toBe(fires);
});

test("an alert fires once, and is the same object while nothing changes", () => {
  const fired = after(alert, [4, 6]);
  expect(after(fired, [4, 6])).toBe(fired);
  const armed = after(alert, [4]);
  expect(after(armed, [3, 4.5])).toBe(armed);
});

const trade = (changes: object) =>
  ({
    kind: "trade",
    mint: address,
    trader: other,
    priceAfterBnb: "0.0000015",
    progress: 41.5,
    ...changes,
  }) as unknown as StreamEvent;

test("a trade changes price, market cap and progress, and a graduation completes the curve", () => {
  const traded = afterEvent(values, trade({}));
  expect(traded).toMatchObject({ price: 0.0000015, progress: 41.5, graduated: false });
  expect(traded.marketCap).toBeCloseTo(6);
  expect(afterEvent(traded, trade({ progress: null })).progress).toBe(41.5);
  const graduated = afterEvent(traded, { kind: "graduated", mint: address } as unknown as StreamEvent);
  expect(graduated).toMatchObject({ progress: 100, graduated: true });
  const waiting = (occasion: "progress" | "graduated"): BrowserAlert => ({
    ...{ occasion, address, name: "Frog", isArmed: true },
    ...(occasion === "progress" ? { direction: "above", limit: "41.5" } : {}),
  });
  expect(withValues(waiting("progress"), traded, 7).firedAt).toBe(7);
  expect(withValues(waiting("graduated"), traded, 7).firedAt).toBeUndefined();
  expect(withValues(waiting("graduated"), graduated, 7).firedAt).toBe(7);
});

test("an alert about an account fires when it trades or creates, and not by what a reorg takes back", () => {
  const trades: BrowserAlert = { occasion: "trade", address: other, name: "0x12…12" };
  const creates: BrowserAlert = { ...trades, occasion: "created" };
  const created = { kind: "created", mint: address, creator: other } as unknown as StreamEvent;
  expect(withEvent(trades, trade({}), 7).firedAt).toBe(7);
  expect(withEvent(trades, trade({ trader: address }), 7)).toBe(trades);
  expect(withEvent(trades, trade({ removed: true }), 7)).toBe(trades);
  expect(withEvent(trades, created, 7)).toBe(trades);
  expect(withEvent(creates, created, 7).firedAt).toBe(7);
  expect(withEvent(creates, trade({}), 7)).toBe(creates);
});

test.each<[string, object | null]>([
  ["nothing", null],
  ["an unknown occasion", { ...alert, occasion: "rain" }],
  ["an address in capitals", { ...alert, address: address.toUpperCase() }],
  ["no name", { ...alert, name: undefined }],
  ["a name without end", { ...alert, name: "x".repeat(201) }],
  ["another chain", { ...alert, chainId: 1 }],
  ["no direction", { ...alert, direction: "sideways" }],
  ["a limit that is no decimal", { ...alert, limit: "1e5" }],
  ["a limit of zero", { ...alert, limit: "0.0" }],
  ["more than all of the curve", { ...alert, occasion: "progress", limit: "100.1" }],
])("a stored alert with %s is none", (_, stored) => expect(toAlert(stored)).toBeUndefined());

test("an alert that is set again takes the place of the one before", () => {
  const fired = { ...alert, firedAt: 1 };
  const higher = { ...alert, limit: "6" };
  expect(withAlert([higher, fired], { ...alert, isArmed: true })).toEqual([
    { ...alert, isArmed: true },
    higher,
  ]);
});
