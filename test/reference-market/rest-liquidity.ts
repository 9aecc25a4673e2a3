import { formatEther } from "viem";
import type { ExpectedMarket } from "./expected-market.ts";
import { positionOf } from "./observed-trades.ts";
import { type ExpectedRow, rowDifferences } from "./row-differences.ts";

// biome-ignore lint/suspicious/noExplicitAny: anything that it lacks shows as a difference.
type Get = (path: string) => Promise<any>;

/** Compares REST's liquidity of graduated tokens, in pages of three, with the logs. */
export async function liquidityDifferences(
  get: Get,
  { liquidity }: ExpectedMarket,
  chainId: number,
): Promise<string[]> {
  const found: string[] = [];
  for (const [token, changes] of Map.groupBy(liquidity, (change) => change.token)) {
    const given: ExpectedRow[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await get(`token/${token}/liquidity?limit=3${cursor && `&cursor=${cursor}`}`);
      given.push(...page.liquidity);
      cursor = page.nextCursor;
    }
    const expected = changes.map((change): ExpectedRow => {
      const { block, timestamp, tx, logIndex } = change.event;
      return {
        id: `${chainId}-${positionOf(change.event)}`,
        mint: token,
        pair: change.pair,
        provider: change.provider,
        kind: change.isAdded ? "add" : "remove",
        bnbAmountWei: change.bnb,
        amountBnb: formatEther(change.bnb),
        tokenAmountRaw: change.tokens,
        bnbReservesWei: change.bnbReserves,
        reservesBnb: formatEther(change.bnbReserves),
        tokenReservesRaw: change.tokenReserves,
        block,
        tx,
        logIndex,
        timestamp: new Date(Number(timestamp) * 1_000).toISOString(),
      };
    });
    found.push(...rowDifferences("REST liquidity", ["id"], given, expected));
    const ids = given.map(({ id }) => String(id));
    if (ids.join() !== ids.toSorted().reverse().join()) found.push(`REST liquidity ${token}: not in order`);
  }
  return found;
}
