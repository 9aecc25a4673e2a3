import { beforeAll, expect, test } from "vitest";
import * as exports from "../../ponder.schema.ts";
import { readApiSchema } from "../../src/api/graphql/tables.ts";
import { graduatingAmount } from "../chain/launchpad-chain.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

let service: SharedService["service"];
let chain: SharedService["chain"];
let mints: string[];

beforeAll(async () => {
  const shared = await sharedService();
  chain = shared.chain;
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

const pinnedTables = [...readApiSchema(exports).tables.values()].filter(({ key }) => key.length > 0);

/** Everything that GraphQL has of the chain's tables, as of a block or now. */
async function readTables(block?: bigint): Promise<Record<string, unknown>> {
  const at = block === undefined ? "" : `, block: { number: ${block} }`;
  const answers = pinnedTables.map(async ({ name, columns, key, relations }) => {
    // A relation hides a column of the same name.
    const names = [...columns.keys()].filter((column) => !relations.has(column)).join(" ");
    const order = `orderBy: "${key.at(-1)}", orderDirection: "desc"`;
    const { list } = await service.indexer.graphql<{ list: { items: unknown[]; totalCount: number } }>(
      `{ list: ${name}s(where: { chainId: 56 }, limit: 1000, ${order}${at}) { items { ${names} } totalCount } }`,
    );
    return [name, list];
  });
  return Object.fromEntries(await Promise.all(answers));
}

async function codesOf(query: string): Promise<string[]> {
  const response = await fetch(`${service.indexer.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const { errors = [] } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return errors.map(({ extensions }) => extensions.code);
}

test("with a block, every table is what it was after that block, however it has changed since", async () => {
  const [creator, buyer, other] = chain.traders;
  const mint = await chain.create(creator, "Pinned", "PINNED");
  await chain.buy(buyer, mint, 10n ** 15n);
  const block = await chain.head();
  await service.indexer.untilIndexed(56, block);
  const before = await readTables();
  const walk = (at: string) =>
    service.indexer.graphql<Record<string, unknown>>(`{
      token(chainId: 56, address: "${mint.toLowerCase()}"${at}) {
        holderCount circulatingRaw curve { progress buysToDate lastTrade { id } }
        holders(orderBy: "balanceRaw", orderDirection: "desc") { items { account balanceRaw heldToken { holderCount } } totalCount }
        trades { items { id traderAccount { trades { totalCount } } } totalCount }
      }
    }`);
  const walked = await walk("");

  await chain.buy(other, mint, 10n ** 15n);
  await chain.sell(buyer, mint, (await chain.balanceOf(mint, buyer)) / 2n);
  await chain.buy(other, mint, graduatingAmount * 2n);
  await chain.create(creator, "Later", "LATER");
  const last = await chain.head();
  await service.indexer.untilIndexed(56, last);
  const after = await readTables();
  expect(await readTables(block)).toEqual(before);
  expect(await readTables(last)).toEqual(after);
  expect(after).not.toEqual(before);
  expect(await walk(`, block: { number: ${block} }`)).toEqual(walked);

  // One page after the other, although rows between them have changed.
  const accounts: unknown[] = [];
  let cursor = "";
  do {
    const { holders } = await service.indexer.graphql<{
      holders: {
        items: { account: string; balanceRaw: string }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
    }>(`{ holders(where: { chainId: 56, token: "${mint.toLowerCase()}" }, orderBy: "balanceRaw", limit: 1, block: { number: ${block} }${cursor}) {
      items { account balanceRaw } pageInfo { hasNextPage endCursor } } }`);
    accounts.push(...holders.items);
    cursor = holders.pageInfo.hasNextPage ? `, after: "${holders.pageInfo.endCursor}"` : "";
  } while (cursor !== "");
  const held = (walked.token as { holders: { items: { account: string; balanceRaw: string }[] } }).holders
    .items;
  expect(accounts).toEqual(held.map(({ account, balanceRaw }) => ({ account, balanceRaw })).reverse());

  const { _meta } = await service.indexer.graphql<{
    _meta: { status: Record<string, { block: { number: number }; final: { number: number } }> };
  }>("{ _meta { status } }");
  const [status] = Object.values(_meta.status);
  expect(status?.block.number).toBe(Number(last));
  expect(status?.final.number).toBeLessThanOrEqual(Number(last));

  // Once the block is older than the last final one, only events can be read.
  await chain.testClient.mine({ blocks: 100 });
  await service.indexer.untilIndexed(56, await chain.head());
  await expect
    .poll(() => codesOf(`{ curves(where: { chainId: 56 }, block: { number: ${block} }) { totalCount } }`), {
      timeout: 60_000,
    })
    .toEqual(["block_too_old"]);
  const events = await service.indexer.graphql<Record<string, { totalCount: number }>>(
    `{ trades(where: { chainId: 56, token: "${mint.toLowerCase()}" }, block: { number: ${block} }) { totalCount } }`,
  );
  expect(events.trades?.totalCount).toBe(1);
  const ahead = (await chain.head()) + 1_000n;
  expect(
    await codesOf(`{ trades(where: { chainId: 56 }, block: { number: ${ahead} }) { totalCount } }`),
  ).toEqual(["block_not_indexed"]);
});

test.each([
  ["curves(block: { number: 1 })", "invalid_argument"],
  ["curves(where: { chainId: 56 }, block: { number: -1 })", "invalid_argument"],
  ["listings(where: { chainId: 56 }, block: { number: 1 })", "invalid_query"],
])("%s is refused", async (field, code) => {
  expect(new Set(await codesOf(`{ ${field} { totalCount } }`))).toEqual(new Set([code]));
});
