import fc from "fast-check";
import { type Address, parseEventLogs } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { sized } from "../test/run/long-run.ts";
import { alice, billion, bob, carol, type Harness, milliBnb, startHarness } from "./test/harness.ts";

const traders = [alice, bob, carol];
/** Base units that are worth more than a wei at any price of any curve. */
const sellable = 2n * 10n ** 10n;

let chain: Harness;
let tokens: Address[];
let snapshot: `0x${string}`;

beforeAll(async () => {
  chain = await startHarness();
  tokens = [];
  for (const burnPercent of [30, 57, 70]) {
    const token = await chain.createToken({ burnPercent });
    for (const trader of traders) await chain.approve(token, trader);
    tokens.push(token);
  }
});

afterAll(() => chain?.stop());

beforeEach(async () => {
  snapshot = await chain.testClient.snapshot();
});

afterEach(() => chain.testClient.revert({ id: snapshot }));

const anyToken = fc.nat({ max: 2 }).map((index) => () => tokens[index] as Address);
const anyTrader = fc.constantFrom(...traders);
// Small amounts are where rounding shows, large ones where the curve moves.
const anyBnb = fc.oneof(
  fc.bigInt(1n, 10_000n),
  fc
    .tuple(fc.integer({ min: 1, max: 15 }), fc.bigInt(0n, milliBnb))
    .map(([n, rest]) => BigInt(n) * milliBnb + rest),
);
/** Of the seller's balance, in millionths; or a number of base units that is worth a few wei. */
const anySale = fc.oneof(
  fc
    .integer({ min: 1, max: 1_000_000 })
    .map((part) => (balance: bigint) => (balance * BigInt(part)) / 1_000_000n),
  fc
    .bigInt(sellable, 100n * sellable)
    .map((units) => (balance: bigint) => (units < balance ? units : balance)),
);
const anyAction = fc.oneof(
  fc.record({ token: anyToken, trader: anyTrader, bnb: anyBnb, sale: fc.constant(undefined) }),
  fc.record({ token: anyToken, trader: anyTrader, bnb: fc.constant(0n), sale: anySale }),
);

/** Undoes what `play` did to the chain, so that the next case and the shrinking of a failed one start alike. */
async function undoing(play: () => Promise<void>) {
  const start = await chain.testClient.snapshot();
  try {
    await play();
  } finally {
    await chain.testClient.revert({ id: start });
  }
}

type Action = typeof anyAction extends fc.Arbitrary<infer Value> ? Value : never;

async function checkBooks() {
  let raised = 0n;
  for (const token of tokens) {
    const curve = await chain.curve(token);
    const remaining = (billion * BigInt(100 - curve.burnPercent)) / 100n;
    const startK = (100n * milliBnb * remaining * 9n) / 5n;
    const held = await chain.balanceOf(token, chain.launchpad);
    expect(curve.tokensSold + curve.realTokenReserves).toBe(curve.totalToSell);
    expect(curve.graduated).toBe(curve.realTokenReserves === 0n);
    expect(curve.virtualBnbReserves * curve.virtualTokenReserves).toBeGreaterThanOrEqual(startK);
    if (curve.graduated) {
      expect(held).toBe(0n);
      expect(curve.virtualBnbReserves).toBe(150n * milliBnb);
    } else {
      expect(held).toBe(curve.realTokenReserves + (remaining * 2n) / 5n);
      raised += curve.virtualBnbReserves - 100n * milliBnb;
    }
  }
  expect(await chain.publicClient.getBalance({ address: chain.launchpad })).toBe(raised);
}

test("whatever is bought and sold, k never falls and the launchpad holds what its curves owe", async () => {
  const seen = { sells: 0, graduations: 0 };
  const play = async (actions: Action[]) => {
    for (const { token: tokenOf, trader, bnb, sale } of actions) {
      const token = tokenOf();
      const before = await chain.curve(token);
      if (before.graduated) continue;
      const amount = sale?.(await chain.balanceOf(token, trader)) ?? 0n;
      if (sale && amount < sellable) continue;

      if (sale) await chain.sell(token, amount, trader);
      else await chain.buy(token, bnb, trader);

      const after = await chain.curve(token);
      if (sale) seen.sells += 1;
      if (after.graduated) {
        // The closing buy takes the dust of all rounding before it, which sets k to where it started.
        seen.graduations += 1;
        continue;
      }
      const k = before.virtualBnbReserves * before.virtualTokenReserves;
      expect(after.virtualBnbReserves * after.virtualTokenReserves).toBeGreaterThanOrEqual(k);
    }
    await checkBooks();
  };
  const anyActions = fc.array(anyAction, { minLength: 20, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(anyActions, (actions) => undoing(() => play(actions))),
    { numRuns: sized({ usual: 20, long: 50 }) },
  );
  expect(seen.sells).toBeGreaterThan(0);
  expect(seen.graduations).toBeGreaterThan(0);
});

test("nobody profits from buying and selling back, at once or in parts", async () => {
  const play = async (token: Address, bnbBefore: bigint, bnb: bigint, part: number) => {
    await chain.buy(token, bnbBefore, bob);
    await chain.buy(token, bnb, alice);
    const bought = await chain.balanceOf(token, alice);
    const firstPart = (bought * BigInt(part)) / 1_000n;

    let bnbBack = 0n;
    for (const amount of [firstPart, bought - firstPart]) {
      if (amount < sellable) continue;
      const { logs } = await chain.sell(token, amount, alice);
      const [trade] = parseEventLogs({ abi: launchpadAbi, eventName: "Trade", logs });
      bnbBack += trade?.args.bnbAmount ?? 0n;
    }
    expect(bnbBack).toBeLessThanOrEqual(bnb);
  };
  const anyPart = fc.integer({ min: 0, max: 1_000 });
  await fc.assert(
    fc.asyncProperty(anyToken, anyBnb, anyBnb, anyPart, (tokenOf, bnbBefore, bnb, part) =>
      undoing(() => play(tokenOf(), bnbBefore, bnb, part)),
    ),
    { numRuns: 100 },
  );
});
