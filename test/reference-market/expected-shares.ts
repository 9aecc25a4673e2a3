import type { Address } from "viem";
import type { ExpectedHolder, Holdings } from "./expected-holders.ts";
import { groupBy, sum } from "./groups.ts";
import type { Market } from "./observed-trades.ts";
import type { ExpectedRow } from "./row-differences.ts";

/** How many accounts they are, and base units that they hold now and that they bought in the first three blocks. */
type EarlyGroup = { accounts: number; held: bigint; bought: bigint };

/** How a token's supply is distributed, in base units. */
export type ExpectedShares = {
  token: Address;
  creator: bigint;
  topTen: bigint;
  earlyBuyers: bigint;
  /** Early buyers without the creator, and those of them that bought in the block that opened the curve. */
  snipers: EarlyGroup;
  bundlers: EarlyGroup;
  supply: bigint;
  /** The sum of the accounts' balances, and the sum of their squares. */
  circulating: bigint;
  squares: bigint;
  /** Null if the creator never held any. */
  creatorBalance: bigint | null;
};

/** Computes the distribution of each token. The launchpad, the pair and burn addresses don't count as holders. */
export function expectedShares(
  creators: Map<Address, Address>,
  early: ExpectedRow[],
  curves: Market["curves"],
  holdings: Holdings,
): ExpectedShares[] {
  const accounts = holdings.holders.filter(({ kind }) => kind === "account");
  const byToken = new Map(groupBy(accounts, ({ token }) => token).map((group) => [group[0].token, group]));
  const buyersOf = new Map(
    groupBy(early, ({ token }) => String(token)).map((group) => [
      group[0].token,
      new Map(group.map((buyer) => [buyer.account, buyer])),
    ]),
  );
  return [...creators].map(([token, creator]) => {
    const all: ExpectedHolder[] = byToken.get(token) ?? [];
    const balances = all.map(({ balance }) => balance).sort((left, right) => (left > right ? -1 : 1));
    const isEarly = ({ account }: ExpectedHolder) => buyersOf.get(token)?.has(account) ?? false;
    const groupOf = (buyers: ExpectedRow[]): EarlyGroup => ({
      accounts: buyers.length,
      held: sum(buyers.map((buyer) => all.find(({ account }) => account === buyer.account)?.balance ?? 0n)),
      bought: sum(buyers.map(({ bought_raw }) => bought_raw as bigint)),
    });
    const snipers = [...(buyersOf.get(token)?.values() ?? [])].filter(({ account }) => account !== creator);
    return {
      token,
      snipers: groupOf(snipers),
      bundlers: groupOf(snipers.filter(({ block }) => block === curves.get(token)?.opened.block)),
      creator: all.find(({ account }) => account === creator)?.balance ?? 0n,
      topTen: sum(balances.slice(0, 10)),
      earlyBuyers: sum(all.filter(isEarly).map(({ balance }) => balance)),
      supply: holdings.supplyOf(token),
      circulating: holdings.supplyOf(token) - sum(holdings.notCirculating(token)),
      squares: sum(balances.map((balance) => balance * balance)),
      creatorBalance: all.find(({ account }) => account === creator)?.balance ?? null,
    };
  });
}

/** Returns the rows of `early_buyer`: who bought in the block that opened the curve, or in the two blocks after it. */
export function expectedEarlyBuyers({ trades, curves }: Market): ExpectedRow[] {
  const early = trades.filter(({ token, isBuy, tokens, block }) => {
    const opened = curves.get(token)?.opened.block ?? block;
    return isBuy && tokens > 0n && [opened, opened + 1n, opened + 2n].includes(block);
  });
  return groupBy(early, ({ token, trader }) => `${token} ${trader}`).map((buys) => ({
    token: buys[0].token,
    account: buys[0].trader,
    block: buys[0].block,
    bought_raw: sum(buys.map(({ tokens }) => tokens)),
  }));
}
