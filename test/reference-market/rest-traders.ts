import { type Address, formatEther } from "viem";
import { sized } from "../run/long-run.ts";
import { expectedCurves } from "./expected-curves.ts";
import type { ExpectedMarket } from "./expected-market.ts";
import type { ExpectedPosition } from "./expected-positions.ts";
import { sum } from "./groups.ts";
import { rowDifferences } from "./row-differences.ts";

// biome-ignore lint/suspicious/noExplicitAny: anything that it lacks shows as a difference.
type Get = (path: string) => Promise<any>;

const limit = 7;

/** In how many of the five orders each token's traders are compared. Over all tokens, every order comes as often. */
const ordersOfEach = sized({ usual: 1, long: 5 });

/** Compares REST's top traders of each token with the logs. */
export async function traderDifferences(get: Get, expected: ExpectedMarket): Promise<string[]> {
  const prices = new Map(
    expectedCurves(expected.market, expected.creators).map((row) => [row.token, row.price_bnb_x36]),
  );
  const found: string[] = [];
  for (const [index, { args }] of expected.created.entries()) {
    const { token, creator } = args;
    const traded = expected.positions.filter(
      (position) => position.token === token && position.trades.length > 0,
    );
    const opened = expected.market.curves.get(token)?.opened.block;
    const early = new Map(
      expected.earlyBuyers
        .filter((buyer) => buyer.token === token)
        .map(({ account, block }) => [account, block]),
    );
    const insiders = expected.insiders.get(token)?.hops;
    const labelsOf = (account: Address) => {
      if (account === creator) return ["creator"];
      const isSniper = early.has(account);
      return [
        ...(isSniper && early.get(account) === opened ? ["bundler"] : []),
        ...(isSniper ? ["sniper"] : []),
        ...(insiders?.has(account) ? ["insider"] : []),
      ];
    };
    const value = ({ openTokens }: ExpectedPosition) =>
      (openTokens * (prices.get(token) as bigint)) / 10n ** 36n;
    const wei = (isBuy: boolean, { trades }: ExpectedPosition) =>
      sum(trades.filter((trade) => trade.isBuy === isBuy).map(({ bnb }) => bnb));
    const orders: Record<string, (position: ExpectedPosition) => bigint> = {
      realised: ({ realised }) => realised,
      unrealised: (position) => value(position) - position.openCost,
      volume: (position) => wei(true, position) + wei(false, position),
      bought: (position) => wei(true, position),
      sold: (position) => wei(false, position),
    };
    const asked = Object.entries(orders).filter((_, order) => (order + index) % 5 < ordersOfEach);
    for (const [sort, key] of asked) {
      const order = (left: ExpectedPosition, right: ExpectedPosition) => {
        if (key(left) !== key(right)) return key(left) < key(right) ? 1 : -1;
        return left.account < right.account ? 1 : -1;
      };
      const { traders } = await get(`token/${token}/traders?sort=${sort}&limit=${limit}`);
      const given = traders.map((trader: Record<string, unknown>) => ({
        ...trader,
        labels: String(trader.labels),
      }));
      const rows = traded
        .toSorted(order)
        .slice(0, limit)
        .map((position, index) => ({
          rank: index + 1,
          address: position.account,
          labels: String(labelsOf(position.account)),
          balanceRaw:
            expected.holdings.holders.find((row) => row.token === token && row.account === position.account)
              ?.balance ?? 0n,
          bnbSpentWei: wei(true, position),
          bnbReceivedWei: wei(false, position),
          realisedBnb: formatEther(position.realised),
          unrealisedBnb: formatEther(value(position) - position.openCost),
        }));
      found.push(...rowDifferences(`REST traders of ${token} by ${sort}`, ["rank"], given, rows));
    }
  }
  return found;
}
