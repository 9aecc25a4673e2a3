import type { Address } from "viem";
import { graduatingAmount, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { startPriceFeed } from "../../chain/price-feed.ts";
import { serveChains } from "../../service/served-chains.ts";

export type AccountsServed = Awaited<ReturnType<typeof serveAccounts>>;

export const milli = 10n ** 15n;
/** The price of one BNB on mainnet, in USD. */
export const usd = 600n;

const day = 86_400;

/** A mainnet with a price feed, one token on the curve and one on the DEX, beside a testnet with weeks of trading. */
export async function serveAccounts() {
  const [{ mainnet, feed, onDex, onCurve }, testnet] = await Promise.all([startMainnet(), startTestnet()]);
  const env = { BNB_USD_FEED_ADDRESS_56: feed };
  return { ...(await serveChains([mainnet, testnet], { env })), mainnet, testnet, onDex, onCurve };
}

async function startMainnet() {
  const mainnet = await startLaunchpadChain();
  const [creator, buyer, friend] = mainnet.traders;
  const feed = await startPriceFeed(mainnet);
  await feed.answer(usd * 10n ** 8n);
  const onDex: Address = await mainnet.create(creator, "On the DEX", "DEX", 30);
  await mainnet.buy(buyer, onDex, 10n * milli);
  await mainnet.buy(creator, onDex, graduatingAmount);
  await mainnet.buyOnDex(buyer, onDex, 7n * milli);
  const onCurve: Address = await mainnet.create(creator, "On the curve", "CURVE");
  await mainnet.buy(buyer, onCurve, 9n * milli);
  await mainnet.buy(friend, onCurve, 4n * milli);
  return { mainnet, feed: feed.aggregator, onDex, onCurve };
}

async function startTestnet() {
  const testnet = await startLaunchpadChain({ chainId: 97, hours: 60 * 24 });
  const [creator, buyer, friend] = testnet.traders;
  const later = async (seconds: number) => {
    await testnet.testClient.increaseTime({ seconds });
    await testnet.testClient.mine({ blocks: 1 });
  };
  const old = await testnet.create(creator);
  await testnet.buy(buyer, old, 10n ** 16n);
  await testnet.sell(buyer, old, await testnet.balanceOf(old, buyer));
  await later(31 * day);
  const graduated = await testnet.create(creator);
  await testnet.buy(buyer, graduated, graduatingAmount);
  await later(6 * day);
  // The cost of received tokens came along with them; those sold on the DEX were bought on the curve.
  await testnet.transfer(buyer, graduated, friend, (await testnet.balanceOf(graduated, buyer)) / 3n);
  await testnet.sellOnDex(friend, graduated, (await testnet.balanceOf(graduated, friend)) / 2n);
  await testnet.sellOnDex(buyer, graduated, (await testnet.balanceOf(graduated, buyer)) / 2n);
  await later(2 * day);
  // Two accounts that tie: same number of tokens created, same amount bought.
  for (const account of [creator, friend]) {
    const token = await testnet.create(account);
    await testnet.buy(account, token, milli);
  }
  return testnet;
}
