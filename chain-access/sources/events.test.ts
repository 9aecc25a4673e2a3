import { toEventSelector } from "viem";
import { expect, test } from "vitest";
import { dexPairAbi } from "../../abis/DexPair.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { priceFeedAbi } from "../../abis/PriceFeed.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { eventTopics } from "./events.ts";

test("the topics are those that viem computes", () => {
  const abis = [tokenFactoryAbi, launchpadAbi, priceFeedAbi, launchTokenAbi, dexPairAbi].flat();
  const selectors = new Map<string, string>(
    abis.flatMap((item) => (item.type === "event" ? [[item.name, toEventSelector(item)]] : [])),
  );
  const expected = Object.keys(eventTopics).map((key) => [
    key,
    selectors.get(key.charAt(0).toUpperCase() + key.slice(1)),
  ]);
  expect(Object.entries(eventTopics)).toEqual(expected);
});
