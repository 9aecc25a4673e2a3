import { type Address, encodeAbiParameters, type Hex, toEventSelector, toHex } from "viem";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { graduatingAmount, startLaunchpadChain } from "./launchpad-chain.ts";
import { deployLogEmitter } from "./log-emitter.ts";

/** When the recorded market begins, in seconds: at least a day after anvil's own blocks. */
export const day = Math.ceil(Date.now() / 86_400_000 + 1) * 86_400;
/** The timestamp of its last block. */
export const head = day + 100_000;

/** A trade according to the chain's events and balances. Wei and base units. */
export type MadeTrade = {
  /** Seconds since 1970. */
  at: number;
  trader: Address;
  side: "buy" | "sell";
  bnb: bigint;
  tokens: bigint;
  /** After the trade. */
  reserves: [bnb: bigint, tokens: bigint];
  /** USD per BNB. */
  rate: bigint | undefined;
};

/**
 * Starts a chain with a token that is traded on curve and DEX at known times, with gaps and changing BNB/USD rates, and another
 * token that nobody trades.
 */
export async function startRecordedMarket() {
  const chain = await startLaunchpadChain();
  const [creator, buyer] = chain.traders;
  const feed = await deployLogEmitter(chain);
  const made: MadeTrade[] = [];
  let rate: bigint | undefined;

  async function setTime(seconds: number): Promise<void> {
    await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(seconds) });
  }

  async function answer(seconds: number, usd: bigint): Promise<void> {
    await setTime(seconds);
    await feed.emit([
      {
        topics: [
          toEventSelector("AnswerUpdated(int256,uint256,uint256)"),
          toHex(usd * 10n ** 8n, { size: 32 }),
          toHex(1n, { size: 32 }),
        ] as Hex[],
        data: encodeAbiParameters([{ type: "uint256" }], [BigInt(seconds)]),
      },
    ]);
    rate = usd;
  }

  /** Makes a trade on the curve and records what its event says. An approval before it takes a second. */
  async function recordCurveTrade(at: number, trade: () => Promise<unknown>): Promise<void> {
    await setTime(at);
    await trade();
    const [log] = (
      await chain.publicClient.getContractEvents({
        address: chain.deployment.launchpad,
        abi: launchpadAbi,
        eventName: "Trade",
        fromBlock: await chain.head(),
      })
    ).slice(-1);
    if (log === undefined) throw new Error("no Trade");
    const { trader, isBuy, bnbAmount, tokenAmount, virtualBnbReserves, virtualTokenReserves } =
      log.args as Required<typeof log.args>;
    made.push({
      at: await headTime(),
      trader,
      side: isBuy ? "buy" : "sell",
      bnb: bnbAmount,
      tokens: tokenAmount,
      reserves: [virtualBnbReserves, virtualTokenReserves],
      rate,
    });
  }

  /** A trade on the DEX, from the pair's balances before and after. */
  async function recordDexTrade(
    at: number,
    side: "buy" | "sell",
    trader: Address,
    trade: () => Promise<unknown>,
  ): Promise<void> {
    const [bnbBefore, tokensBefore] = await reservesOfPair();
    await setTime(at);
    await trade();
    const reserves = await reservesOfPair();
    const difference = (before: bigint, after: bigint) => (after > before ? after - before : before - after);
    made.push({
      at: await headTime(),
      trader,
      side,
      bnb: difference(bnbBefore, reserves[0]),
      tokens: difference(tokensBefore, reserves[1]),
      reserves,
      rate,
    });
  }

  async function reservesOfPair(): Promise<[bigint, bigint]> {
    const [graduation] = await chain.publicClient.getContractEvents({
      address: chain.deployment.launchpad,
      abi: launchpadAbi,
      eventName: "Graduated",
      fromBlock: 0n,
    });
    const pair = graduation?.args.pair as Address;
    return [await chain.balanceOf(chain.deployment.wbnb, pair), await chain.balanceOf(token, pair)];
  }

  async function headTime(): Promise<number> {
    return Number((await chain.publicClient.getBlock({ blockTag: "latest" })).timestamp);
  }

  await setTime(day + 30);
  const token = await chain.create(creator, "Charted", "CHART", 40);
  await recordCurveTrade(day + 40, () => chain.buy(creator, token, 10n ** 16n));
  await recordCurveTrade(day + 50, () => chain.buy(buyer, token, 10n ** 15n));
  await setTime(day + 60);
  const idle = await chain.create(creator, "Idle", "IDLE");
  await answer(day + 200, 600n);
  await recordCurveTrade(day + 610, () => chain.buy(buyer, token, 4n * 10n ** 15n));
  const half = (await chain.balanceOf(token, creator)) / 2n;
  await recordCurveTrade(day + 3_700, () => chain.sell(creator, token, half));
  await answer(day + 7_000, 700n);
  await recordCurveTrade(day + 7_300, () => chain.buy(buyer, token, graduatingAmount));
  await recordDexTrade(day + 7_310, "buy", creator, () => chain.buyOnDex(creator, token, 10n ** 16n));
  await recordDexTrade(day + 90_000, "sell", creator, () => chain.sellOnDex(creator, token, half));
  await setTime(head);
  await chain.testClient.mine({ blocks: 1 });

  return {
    chain,
    /** The contract that emits the BNB/USD rate. */
    feed: feed.address,
    /** The token that is traded, and the one that isn't. */
    token,
    idle,
    /** The trades of `token`, oldest first. */
    made,
    /** Makes the next block a second later than the last one. */
    nextSecond: async () => setTime((await headTime()) + 1),
  };
}
