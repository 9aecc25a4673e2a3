import { graduatingAmount, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { startPriceFeed } from "../../chain/price-feed.ts";

const day = 86_400n;

/** USD with 8 decimals, as price feeds return it. */
export const usd = (amount: number) => BigInt(Math.round(amount * 1e8));

/** A testnet with a price feed of two aggregators, and trades of one token at fixed seconds. */
export async function startPricedMarket() {
  const chain = await startLaunchpadChain({ chainId: 97 });
  const token = await chain.create(chain.traders[0]);
  const feed = await startPriceFeed(chain);
  const second = await feed.nextPhase();
  const [, buyer, other] = chain.traders;
  /** A midnight, so that every interval begins with it. Seconds. */
  const midnight = (BigInt(Math.ceil(Date.now() / 1_000)) / day + 1n) * day;

  /** Runs an action in a block mined at this second of the day. */
  async function at(seconds: number, happens: () => Promise<unknown>): Promise<void> {
    await chain.testClient.setNextBlockTimestamp({ timestamp: midnight + BigInt(seconds) });
    await happens();
  }

  // The price of BNB is not known yet.
  await at(5, () => chain.buy(buyer, token, 10n ** 15n));
  await at(10, () => feed.answer(usd(600)));
  await at(20, () => chain.buy(buyer, token, 2n * 10n ** 15n));
  // A failed feed.
  await at(30, () => feed.answer(0n));
  await at(31, () => feed.answer(-usd(5)));
  await at(40, () => chain.buy(other, token, 10n ** 15n));
  await at(70, () => feed.answer(usd(650.5), second));
  await at(80, () => chain.buy(buyer, token, 3n * 10n ** 15n));
  // Two minutes without a trade, during which BNB falls: the next candle opens where the last one closed.
  await at(200, () => feed.answer(usd(500)));
  await at(210, () => chain.buy(other, token, graduatingAmount));
  await at(220, () => chain.buyOnDex(buyer, token, 10n ** 15n));
  return { chain, token, feed, second, midnight };
}
