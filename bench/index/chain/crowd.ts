import { type Address, keccak256, toHex } from "viem";
import type { Actions, Transaction } from "../../../local/market/actions.ts";
import type { Random } from "../../../local/market/random.ts";
import type { MarketToken, MarketView } from "../../../local/market/view.ts";

/** The fraction of tokens that are popular (0 to 1). They get most of the trades, and some of them graduate. */
const hotShare = 0.05;
/** The number of tokens that are popular at a time. */
const hotAtOnce = 40;

/** The accounts that trade. They have no keys: anvil impersonates them. */
export function crowdAddresses(size: number): Address[] {
  return Array.from(
    { length: size },
    (_, index) => `0x${keccak256(toHex(`benchmark trader ${index}`)).slice(26)}` as const,
  );
}

/**
 * Decides which trader does what in the next block. Like the local stack's market, except that the cost of an action doesn't grow
 * with the number of traders and tokens.
 */
export function createCrowd(view: MarketView, actions: Actions, random: Random, traders: Address[]) {
  const isTrader = new Set(traders);
  const tokens: MarketToken[] = [];
  const hot: MarketToken[] = [];
  /** Holdings that have been spent in this block. */
  const spent = new Set<string>();

  // A few traders trade all the time, most only once in a while.
  const pickTrader = () => traders[Math.floor(traders.length * random.fraction() ** 2)] as Address;

  function pickToken(): MarketToken {
    if (hot.length > 0 && random.chance(0.6)) {
      return random.chance(0.7) ? random.pick(hot.slice(-hotAtOnce)) : random.pick(hot);
    }
    return tokens[tokens.length - 1 - Math.floor(tokens.length * random.fraction() ** 2)] as MarketToken;
  }

  function pickHolding(token: MarketToken): [Address, bigint] | undefined {
    const holdings = [...token.balances].filter(
      ([account, balance]) =>
        balance > 0n && isTrader.has(account) && !spent.has(`${token.address} ${account}`),
    );
    return holdings.length > 0 ? random.pick(holdings) : undefined;
  }

  const share = (balance: bigint, percent: number) => (balance * BigInt(percent)) / 100n || balance;

  return {
    /** Updates the state after a mined block. */
    update(): void {
      spent.clear();
      for (const token of [...view.tokens.values()].slice(tokens.length)) {
        tokens.push(token);
        if (random.chance(hotShare)) hot.push(token);
      }
    },
    create: (): Transaction[] => actions.create(pickTrader()),
    act(): Transaction[] {
      const trader = pickTrader();
      const token = pickToken();
      const kind = random.fraction();
      const buy = () => actions.buy(token, trader, random.around(0.0012, 0.9));
      if (kind < 0.6) return buy();

      const holding = pickHolding(token);
      if (holding === undefined) return buy();
      const [holder, balance] = holding;
      spent.add(`${token.address} ${holder}`);
      if (kind < 0.9) return actions.sell(token, holder, share(balance, random.pick([10, 25, 50, 100])));
      return actions.transfer(token, holder, trader, share(balance, random.integer(1, 60)));
    },
  };
}
