import { beforeAll, expect, test } from "vitest";
import { type SharedService, sharedService } from "../service/shared-service.ts";

let service: SharedService["service"];
let mints: string[];

beforeAll(async () => {
  const shared = await sharedService();
  const { chain } = shared;
  service = shared.service;
  const [creator, buyer] = chain.traders;
  const created: `0x${string}`[] = [];
  for (const symbol of ["PAGEA", "PAGEB", "PAGEC", "PAGED", "PAGEE"]) {
    created.push(await chain.create(creator, `Page ${symbol}`, symbol));
  }
  // Two of the five are traded; the others have no last trade.
  await chain.buy(buyer, created[1] as `0x${string}`, 10n ** 14n);
  await chain.testClient.increaseTime({ seconds: 1 });
  await chain.buy(buyer, created[3] as `0x${string}`, 10n ** 14n);
  await service.indexer.untilIndexed(56, await chain.head());
  mints = created.map((address) => address.toLowerCase());
});

type Curves = {
  items: { token: string; lastTradeAt: string | null }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
};

async function page(direction: string, rest: string): Promise<Curves> {
  const { curves } = await service.indexer.graphql<{ curves: Curves }>(
    `query ($mints: [String]) {
      curves(where: { chainId: 56, token_in: $mints }, orderBy: "lastTradeAt", orderDirection: "${direction}", ${rest}) {
        items { token lastTradeAt }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`,
    { mints },
  );
  return curves;
}

test.each([
  ["asc", 1],
  ["asc", 2],
  ["desc", 1],
  ["desc", 2],
])(
  "a list ordered by a column with nulls can be read to its end: %s, %d per page",
  async (direction, limit) => {
    const { items } = await page(direction, "limit: 10");
    expect(items.map(({ lastTradeAt }) => lastTradeAt === null)).toEqual(
      direction === "asc" ? [false, false, true, true, true] : [true, true, true, false, false],
    );

    const forth: Curves[] = [await page(direction, `limit: ${limit}`)];
    while (forth.at(-1)?.pageInfo.hasNextPage) {
      forth.push(await page(direction, `limit: ${limit}, after: "${forth.at(-1)?.pageInfo.endCursor}"`));
    }
    expect(forth.flatMap((curves) => curves.items)).toEqual(items);

    const back: Curves[] = [forth.at(-1) as Curves];
    while (back[0]?.pageInfo.hasPreviousPage) {
      back.unshift(await page(direction, `limit: ${limit}, before: "${back[0].pageInfo.startCursor}"`));
    }
    expect(back.flatMap((curves) => curves.items)).toEqual(items);
  },
);
