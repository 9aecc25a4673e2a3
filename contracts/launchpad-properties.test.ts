import fc from "fast-check";
import { type Address, type Hex, parseEventLogs } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { sized } from "../test/run/long-run.ts";
import { alice, bob, dexes, type Harness, milliBnb, startHarness } from "./test/harness.ts";
import {
  anyCreate,
  anyDonation,
  create,
  donor,
  type MarketCommand,
  type Seen,
} from "./test/market-commands.ts";
import { robot } from "./test/market-invariants.ts";
import type { Market } from "./test/market-model.ts";
import { anyApproval, anyBurn, anyPoke, anyTransfer } from "./test/token-commands.ts";
import { anyBuy, anyExactBuy, anyLimitedBuy, anyPermitSell, anySell } from "./test/trade-commands.ts";

/** Base units that are worth more than a wei at any price of any curve. */
const sellable = 2n * 10n ** 10n;

/** Most commands are trades. */
const anyCommands = fc.commands(
  [
    ...[anyCreate, anyDonation, anyTransfer, anyApproval, anyBurn, anyPoke, anyDonation, anyPoke],
    ...[
      anyBuy,
      anyBuy,
      anyExactBuy,
      anyExactBuy,
      anyLimitedBuy,
      anyLimitedBuy,
      anyLimitedBuy,
      anySell,
      anySell,
      anySell,
      anyPermitSell,
      anyPermitSell,
    ],
  ] as fc.Arbitrary<MarketCommand>[],
  { maxCommands: sized({ usual: 40, long: 100 }), size: "max" },
);

/** What must happen on each DEX at least once, whatever the seed. */
const expected = [
  ...["creation", "first buy", "buy", "buy beyond its limit", "graduation within a limit", "sell"],
  ...["buy for somebody", "sell for somebody", "exact buy", "exact buy of all", "sell by permit"],
  ...["WBNB to pair", "transfer", "approval", "burn"],
];

// Every DEX has its graduations tested in npm test, by graduation.test.ts and graduation-attacks.test.ts.
describe.each(sized({ usual: dexes.slice(0, 1), long: dexes }))("on %s", (dex) => {
  let chain: Harness;
  let snapshot: Hex;

  beforeAll(async () => {
    chain = await startHarness(dex);
    await chain.testClient.impersonateAccount({ address: donor });
    await chain.testClient.setBalance({ address: donor, value: 2n ** 120n });
    await chain.addRobot(robot);
  });

  afterAll(() => chain?.stop());

  beforeEach(async () => {
    snapshot = await chain.testClient.snapshot();
  });

  afterEach(() => chain.testClient.revert({ id: snapshot }));

  /** Undoes what `play` did to the chain, so that each case, including those of shrinking, starts from the same state. */
  async function undoing(play: () => Promise<void>) {
    const start = await chain.testClient.snapshot();
    try {
      await play();
    } finally {
      await chain.testClient.revert({ id: start });
    }
  }

  test(
    "after any sequence of commands, the accounting is right and everybody can sell",
    async () => {
      const seen: Seen = {};
      const orders = new Set<boolean>();
      const before = chain.sent();
      let [runs, runsWithGraduation] = [0, 0];
      const play = async (commands: Iterable<MarketCommand>) => {
        const market: Market = { tokens: [], wbnb: new Map(), forcedBnb: new Map(), salt: 0 };
        // One token for each position in a pair.
        for (const tokenFirst of [true, false]) {
          const creation = { trader: alice, burnPercent: 50, withSalt: true, boundSalt: true, tokenFirst };
          await create({ ...creation, waiting: 0n, buy: undefined, recipient: undefined }, market, chain);
        }
        await fc.asyncModelRun(() => ({ model: market, real: { chain, seen } }), commands);
        runs += 1;
        if (market.tokens.some(({ graduated }) => graduated)) runsWithGraduation += 1;
        for (const { address, graduated } of market.tokens) {
          if (graduated) orders.add(address.toLowerCase() < chain.wbnb.toLowerCase());
        }
      };
      await fc.assert(
        fc.asyncProperty(anyCommands, (commands) => undoing(() => play(commands))),
        { numRuns: sized({ usual: 14, long: 260 }) },
      );
      // Together more than 50,000 in a long run, with graduations in most of its sequences.
      expect(chain.sent() - before).toBeGreaterThan(sized({ usual: 300, long: 17_000 }));
      expect(runsWithGraduation / runs).toBeGreaterThan(sized({ usual: 0, long: 0.5 }));
      for (const outcome of expected) expect(seen[outcome] ?? 0, outcome).toBeGreaterThan(0);
      expect(orders.size).toBe(2);
    },
    sized({ usual: 240_000, long: 1_800_000 }),
  );

  test("nobody profits from buying and selling back, at once or in parts", async () => {
    const play = async (token: Address, bnbBefore: bigint, bnb: bigint, part: number) => {
      await chain.approve(token, alice);
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
    // Two such buys don't reach the end of the curve.
    const anyBnb = fc.oneof(fc.bigInt(1n, 10_000n), fc.bigInt(1n, 24n * milliBnb));
    const anyBurnPercent = fc.integer({ min: 30, max: 70 });
    const anyPart = fc.integer({ min: 0, max: 1_000 });
    await fc.assert(
      fc.asyncProperty(anyBurnPercent, anyBnb, anyBnb, anyPart, (burnPercent, bnbBefore, bnb, part) =>
        undoing(async () => play(await chain.createToken({ burnPercent }), bnbBefore, bnb, part)),
      ),
      { numRuns: sized({ usual: 6, long: 200 }) },
    );
  });
});
