import type { Address } from "viem";
import type { Holdings } from "./expected-holders.ts";
import type { ExpectedPosition } from "./expected-positions.ts";
import { groupBy, sum } from "./groups.ts";

/** An account's trading and holdings over all tokens. Amounts in wei. */
export type AccountTotals = {
  account: Address;
  trades: number;
  tokensTraded: number;
  spent: bigint;
  received: bigint;
  realised: bigint;
  tokensHeld: number;
};

export function expectedAccountTotals(
  accounts: Iterable<Address>,
  positions: ExpectedPosition[],
  holdings: Holdings,
): AccountTotals[] {
  const positionsOf = new Map(
    groupBy(positions, ({ account }) => account).map((group) => [group[0].account, group]),
  );
  const held = holdings.holders.filter(({ kind, balance }) => kind === "account" && balance > 0n);
  const heldBy = new Map(groupBy(held, ({ account }) => account).map((group) => [group[0].account, group]));
  return [...accounts].map((account) => {
    const own = positionsOf.get(account) ?? [];
    const trades = own.flatMap((position) => position.trades);
    return {
      account,
      trades: trades.length,
      tokensTraded: own.length,
      spent: sum(trades.filter(({ isBuy }) => isBuy).map(({ bnb }) => bnb)),
      received: sum(trades.filter(({ isBuy }) => !isBuy).map(({ bnb }) => bnb)),
      realised: sum(own.map(({ realised }) => realised)),
      tokensHeld: heldBy.get(account)?.length ?? 0,
    };
  });
}
