import { expect, test } from "vitest";
import { toWindows } from "./market.mapper.ts";
import { windowNames } from "./time.ts";
import type { TotalsBefore, WindowsRow } from "./windows.query.ts";

const row = (before: WindowsRow["before_windows"], close = 3n): WindowsRow => ({
  buys_to_date: 5,
  sells_to_date: 3,
  volume_to_date_wei: String(8n * 10n ** 18n),
  volume_to_date_usd_x18: String(4_800n * 10n ** 18n),
  close_price_bnb_x36: String(close),
  last_trade_at: "1",
  before_windows: before,
  traders_in_windows: before && [1, 2, 3, 4],
});

const nothing = { volumeBnb: "0", trades: 0, buys: 0, sells: 0, traders: 0, priceChangePercent: 0 };

test("a window has only what came after its start", () => {
  const start: TotalsBefore = [4, 1, "7500000000000000000", "4500000000000000000000", "2"];
  const windows = toWindows(row([null, start, [0, 0, "0", "0", "4"], [0, 0, "0", "0", "0"]]), true);
  expect(Object.keys(windows)).toEqual(windowNames);
  expect(windows["5m"]).toEqual({ ...nothing, volumeUsd: "0", traders: 1 });
  expect(windows["1h"]).toEqual({
    volumeBnb: "0.5",
    volumeUsd: "300",
    trades: 3,
    buys: 1,
    sells: 2,
    traders: 2,
    priceChangePercent: 50,
  });
  expect(windows["6h"]).toMatchObject({ volumeBnb: "8", trades: 8, priceChangePercent: -25 });
  expect(windows["24h"].priceChangePercent).toBeNull();
});

test("without a rate nothing is in USD, and without trades nothing has changed", () => {
  expect(toWindows(row(null), false)).toEqual(Object.fromEntries(windowNames.map((name) => [name, nothing])));
});

test("without an earlier price, the change is null", () => {
  expect(toWindows(row(null, 0n), false)["24h"].priceChangePercent).toBeNull();
});
