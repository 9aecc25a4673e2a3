import fc from "fast-check";
import { expect, test } from "vitest";
import { itemMatches, kinds } from "../stream/filter.ts";
import type { StreamItem } from "../stream/read-page.ts";
import type { StreamFilter } from "../stream/stream-page.query.ts";
import { createRuleIndex } from "./rule-index.ts";

const few = fc.constantFrom("0xa", "0xb", "0xc", "0xd");
const some = fc.array(few, { maxLength: 2 });
const chainId = fc.constantFrom(56, 97);
const side = fc.constantFrom("buy", "sell");
const venue = fc.constantFrom("curve", "dex");
const wei = fc.bigInt({ min: 0n, max: 5n });

const filters: fc.Arbitrary<StreamFilter> = fc.record({
  chainId: fc.option(chainId, { nil: undefined }),
  mints: some,
  creators: some,
  kinds: fc.array(fc.constantFrom(...kinds), { maxLength: 3 }),
  traders: some,
  side: fc.option(side, { nil: undefined }),
  venue: fc.option(venue, { nil: undefined }),
  minWei: fc.option(wei, { nil: undefined }),
});

const items: fc.Arbitrary<StreamItem> = fc
  .record({
    chainId,
    kind: fc.constantFrom(...kinds),
    mint: few,
    creator: fc.option(few),
    trade: fc.record({ trader: few, side, venue, bnbAmountWei: wei.map(String) }),
  })
  .map((item) => ({ ...item, trade: item.kind === "trade" ? item.trade : undefined }) as StreamItem);

test("an event finds exactly the subscribers that take events and whose filter it matches, each once", () => {
  fc.assert(
    fc.property(
      fc.array(filters, { maxLength: 30 }),
      fc.array(items, { maxLength: 20 }),
      fc.nat(10),
      (all, events, gone) => {
        const takes = (subscriber: number) => subscriber % 5 !== 4;
        const index = createRuleIndex<number>(takes);
        for (const [subscriber, filter] of all.entries()) index.add(subscriber, filter);
        for (const [subscriber, filter] of all.slice(0, gone).entries()) index.remove(subscriber, filter);
        for (const item of events) {
          const expected = all.flatMap((filter, subscriber) =>
            subscriber >= gone && takes(subscriber) && itemMatches(item, filter) ? [subscriber] : [],
          );
          expect(index.match(item).sort((left, right) => left - right)).toEqual(expected);
        }
      },
    ),
  );
});

test("an event doesn't look at the subscribers of other tokens, nor at those who wait for larger trades", () => {
  const index = createRuleIndex<number>();
  const nobody: StreamFilter = {
    chainId: 56,
    mints: [],
    creators: [],
    kinds: [],
    traders: [],
    side: undefined,
    venue: undefined,
    minWei: undefined,
  };
  let looks = 0;
  const counting = (filter: StreamFilter): StreamFilter =>
    Object.defineProperty({ ...filter }, "chainId", {
      get: () => {
        looks++;
        return 56;
      },
    });
  for (let subscriber = 0; subscriber < 1_000; subscriber++) {
    index.add(subscriber, counting({ ...nobody, mints: [`0x${subscriber}`] }));
    index.add(1_000 + subscriber, counting({ ...nobody, minWei: 10n + BigInt(subscriber) }));
  }
  looks = 0;
  const trade = { trader: "0xa", side: "buy", venue: "curve", bnbAmountWei: "11" };
  const item = { chainId: 56, kind: "trade", mint: "0x7", creator: null, trade } as StreamItem;
  expect(index.match(item).sort((left, right) => left - right)).toEqual([7, 1_000, 1_001]);
  expect(looks).toBeLessThan(20);
});
