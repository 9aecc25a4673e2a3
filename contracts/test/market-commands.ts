import fc from "fast-check";
import { type Address, getAddress, type Hex, numberToHex, zeroHash } from "viem";
import { expectFairGraduation } from "./graduation.ts";
import { type Harness, milliBnb } from "./harness.ts";
import { expectInvariants, traders } from "./market-invariants.ts";
import {
  add,
  amountOf,
  applyBuy,
  endBnb,
  type Market,
  type ModelToken,
  opened,
  startBnb,
  strayOf,
} from "./market-model.ts";
import { boundSalt, createdToken } from "./outcomes.ts";
import { pairActions } from "./pair-actions.ts";

/** The account that gives BNB and WBNB away. */
export const donor: Address = getAddress(`0x${"d0".repeat(20)}`);

/** How often each kind of step has happened, over all runs. */
export type Seen = Record<string, number>;
type Real = { chain: Harness; seen: Seen };
export type MarketCommand = fc.AsyncCommand<Market, Real>;

/** A step of the market, after which everything must match the model. Counts the outcomes that `run` returns. */
export function step<Values>(
  name: string,
  values: Values,
  run: (values: Values, market: Market, chain: Harness) => Promise<string>,
): MarketCommand {
  return {
    check: () => true,
    async run(market, { chain, seen }) {
      const outcome = await run(values, market, chain);
      seen[outcome] = (seen[outcome] ?? 0) + 1;
      await expectInvariants(chain, market);
    },
    toString: () => `${name} ${fc.stringify(values)}`,
  };
}

export const anyTrader = fc.constantFrom(...traders);
// Small amounts show rounding, large ones move the curve, and the largest exceed its end.
export const anyBnb = fc.oneof(
  { weight: 2, arbitrary: fc.bigInt(1n, 10_000n) },
  { weight: 5, arbitrary: fc.bigInt(1n, 16n * milliBnb) },
  { weight: 1, arbitrary: fc.bigInt(30n * milliBnb, 1_000n * milliBnb) },
);
export const anyToken = fc.nat({ max: 239 });

/** Picks a token: a graduated one in at most a quarter of the cases, as long as there are others. */
export function tokenAt({ tokens }: Market, index: number) {
  const open = tokens.filter(({ graduated }) => !graduated);
  const among = index % 4 > 0 && open.length > 0 ? open : tokens;
  return among[Math.floor(index / 4) % among.length] as ModelToken;
}

/** Picks a holder of a token: the given one if possible. */
export function holderOf({ balances }: ModelToken, trader: Address): Address {
  const holders = traders.filter((holder) => amountOf(balances, holder) > 0n);
  return holders.length === 0 || holders.includes(trader) ? trader : (holders[0] as Address);
}

const anyCreation = fc.record({
  trader: anyTrader,
  burnPercent: fc.integer({ min: 30, max: 70 }),
  withSalt: fc.boolean(),
  boundSalt: fc.boolean(),
  tokenFirst: fc.boolean(),
  /** WBNB that is in the pair already, for a salt that somebody else knew. */
  waiting: fc.option(fc.bigInt(1n, 100_000n * milliBnb), { nil: 0n }),
  /** Who gets the tokens of a first buy, if it isn't the creator. */
  recipient: fc.option(anyTrader, { nil: undefined }),
  /** Wei of a first buy. */
  buy: fc.option(fc.oneof(anyBnb, fc.bigInt(endBnb - startBnb, 2n * endBnb)), { nil: undefined }),
});
type Creation = typeof anyCreation extends fc.Arbitrary<infer Value> ? Value : never;

export const anyCreate = anyCreation.map((creation) => step("create", creation, create));

export async function create(creation: Creation, market: Market, chain: Harness) {
  const { trader, burnPercent, withSalt, buy, recipient } = creation;
  const salt = withSalt ? await nextSalt(creation, market, chain) : zeroHash;
  const { waiting } = withSalt ? creation : { waiting: 0n };
  if (waiting > 0n) {
    const pair = await pairActions(chain, donor).createPair(await chain.predictTokenAddress(salt));
    await pairActions(chain, donor).donate(pair, waiting);
  }
  const receipt =
    buy === undefined
      ? undefined
      : await chain.createTokenAndBuy(buy, {
          burnPercent,
          salt,
          from: trader,
          ...(recipient && { recipient }),
        });
  const address = receipt
    ? createdToken(receipt)
    : withSalt
      ? await chain.createTokenWithSalt(salt, { burnPercent, from: trader })
      : await chain.createToken({ burnPercent, from: trader });

  const token = opened(address, await chain.pairOf(address), trader, burnPercent);
  token.pairWbnb = waiting;
  market.tokens.push(token);
  if (buy === undefined || receipt === undefined) return "creation";
  applyBuy(market, token, recipient ?? trader, buy);
  if (token.graduated)
    await expectFairGraduation(chain, address, receipt, strayOf(market, token, chain.launchpad));
  return token.graduated ? "first buy of all" : "first buy";
}

async function nextSalt(
  { tokenFirst, trader, boundSalt: isBound }: Creation,
  market: Market,
  chain: Harness,
): Promise<Hex> {
  for (;;) {
    market.salt += 1;
    const salt = isBound ? boundSalt(trader, market.salt) : numberToHex(market.salt, { size: 32 });
    const token = await chain.predictTokenAddress(salt);
    if (token.toLowerCase() < chain.wbnb.toLowerCase() === tokenFirst) return salt;
  }
}

export const anyDonation = fc
  .record({
    index: anyToken,
    to: fc.constantFrom("pair", "pair", "pair", "launchpad", "launchpad", "factory", "token"),
    what: fc.constantFrom("WBNB", "WBNB", "BNB"),
    amount: fc.oneof(fc.constant(1n), fc.bigInt(1n, 100_000n * milliBnb), fc.constant(2n ** 112n)),
  })
  .map((donation) => step("donate", donation, donate));

async function donate(
  { index, to, what, amount }: { index: number; to: string; what: string; amount: bigint },
  market: Market,
  chain: Harness,
) {
  const token = tokenAt(market, index);
  const addresses = {
    launchpad: chain.launchpad,
    factory: chain.tokenFactory,
    pair: token.pair,
    token: token.address,
  };
  const address = addresses[to as keyof typeof addresses];
  if (what === "BNB") {
    const balance = await chain.publicClient.getBalance({ address });
    await chain.testClient.setBalance({ address, value: balance + amount });
    add(market.forcedBnb, address, amount);
    return `BNB to ${to}`;
  }
  // A graduated pair accepts no more than a reserve can hold.
  const given = token.graduated && to === "pair" && amount > 2n ** 100n ? 1n : amount;
  await pairActions(chain, donor).donate(address, given);
  if (to === "pair") token.pairWbnb += given;
  else add(market.wbnb, address, given);
  return `WBNB to ${to}`;
}
