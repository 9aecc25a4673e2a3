import { type Address, type HDAccount, keccak256, toHex } from "viem";
import { anvilAccount } from "../anvil.ts";
import type { Actions, Transaction } from "./actions.ts";
import type { Random } from "./random.ts";
import type { MarketToken, MarketView } from "./view.ts";

const traderCount = 120;

/** The fraction of tokens whose creator can sign the registration. */
const keyedShare = 0.2;

/** The fraction of tokens whose creator buys in the transaction that creates them. */
const firstBuyShare = 0.4;

/** The accounts of the simulated market. They have no keys: anvil impersonates them. */
export const traderAddresses: Address[] = Array.from(
  { length: traderCount },
  (_, index) => `0x${keccak256(toHex(`simulated trader ${index}`)).slice(26)}` as const,
);
const traders = new Set<Address>(traderAddresses);

/** BNB for one buy. A curve takes 0.05 BNB, so that most buys are small beside it, and now and then one moves the market. */
function buySize(random: Random): number {
  const kind = random.fraction();
  if (kind < 0.35) return random.around(0.0003, 0.6);
  return kind < 0.94 ? random.around(0.0013, 0.8) : random.around(0.009, 0.5);
}

/** Decides which trader does what next. */
export function createTraders(view: MarketView, actions: Actions, random: Random) {
  // A few tokens get most of the trades: interest falls with the rank, as in Zipf's law.
  function pickToken(): MarketToken {
    const tokens = [...view.tokens.values()];
    const age = Math.floor(tokens.length * random.fraction() ** 2);
    const hot = tokens.filter((token) => Number.parseInt(token.address.slice(-2), 16) < 64);
    if (hot.length > 0 && random.chance(0.55)) return random.pick(hot);
    return tokens[tokens.length - 1 - age] ?? random.pick(tokens);
  }

  function pickHolder(token: MarketToken, busy: Set<Address>): [Address, bigint] | undefined {
    const holders = [...token.balances].filter(
      ([account, balance]) => balance > 0n && traders.has(account) && !busy.has(account),
    );
    return holders.length > 0 ? random.pick(holders) : undefined;
  }

  function share(balance: bigint, percent: number): bigint {
    const part = (balance * BigInt(percent)) / 100n;
    return part > 0n ? part : balance;
  }

  return {
    /**
     * The transactions of one trader.
     *
     * @param busy traders who already act in this block; the chosen one is added
     * @param creations the probability that a new token is created, 0 to 1
     */
    act(busy: Set<Address>, creations: number): Transaction[] {
      const free = traderAddresses.filter((trader) => !busy.has(trader));
      if (free.length === 0) return [];
      const trader = random.pick(free);
      busy.add(trader);
      if (view.tokens.size === 0 || random.chance(creations)) {
        const creator = random.chance(keyedShare) ? random.pick(creatorAddresses) : trader;
        return random.chance(firstBuyShare)
          ? actions.createAndBuy(creator, buySize(random))
          : actions.create(creator);
      }

      const token = pickToken();
      const kind = random.fraction();
      if (kind < 0.6) return actions.buy(token, trader, buySize(random));

      const holding = pickHolder(token, busy);
      if (holding === undefined) return actions.buy(token, trader, buySize(random));
      const [holder, balance] = holding;
      busy.add(holder);
      if (kind < 0.9) return actions.sell(token, holder, share(balance, random.pick([10, 25, 50, 100])));
      return actions.transfer(token, holder, trader, share(balance, random.integer(1, 60)));
    },
  };
}

/** Creators of the simulated market that have keys, so that they can sign their registrations. */
const creators: HDAccount[] = [1, 2, 3].map(anvilAccount);

export const creatorAddresses = creators.map(({ address }) => address.toLowerCase() as Address);

/** The creator's account, if we have its key. */
export function findCreatorAccount(address: Address): HDAccount | undefined {
  return creators[creatorAddresses.indexOf(address)];
}
