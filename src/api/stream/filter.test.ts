import { expect, test } from "vitest";
import { itemMatches } from "./filter.ts";
import { matchAll, type StreamItem } from "./read-page.ts";

test("a long list costs an event no more than a short one", () => {
  let looks = 0;
  const counted = (list: string[]) =>
    new Proxy(list, {
      get(target, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) looks++;
        return Reflect.get(target, key, receiver);
      },
    });
  const addresses = Array.from({ length: 100 }, (_, index) => `0x${index}`);
  const filter = {
    ...matchAll,
    mints: counted(addresses),
    creators: counted(addresses),
    traders: counted(addresses),
  };
  const trade: StreamItem = {
    chainId: 56,
    kind: "trade",
    mint: "0x99",
    creator: "0x99",
    trade: {
      trader: "0x99",
      side: "buy",
      venue: "curve",
      bnbAmountWei: "1",
      priceAfterBnb: "1",
      priceAfterUsd: undefined,
      timestamp: "2026-01-01T00:00:00Z",
      progress: null,
    },
    cursor: "1-1",
    isRemoved: false,
    position: "1",
    data: "{}",
    text: "",
  };
  const others = [{ mint: "0x100" }, { creator: "0x100" }, { creator: null }, { trade: undefined }];
  for (let count = 0; count < 100; count++) {
    expect(itemMatches(trade, filter)).toBe(true);
    for (const other of others) expect(itemMatches({ ...trade, ...other }, filter)).toBe(false);
  }
  // Each list is read once.
  expect(looks).toBe(300);
});
