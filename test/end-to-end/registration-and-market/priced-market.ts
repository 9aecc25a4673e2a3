import type { Address } from "viem";
import { graduatingAmount, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { startPriceFeed } from "../../chain/price-feed.ts";

const milli = 10n ** 15n;

/** A testnet with a price feed that first answers after the first trades. Its token addresses all differ from mainnet's. */
export async function startPricedMarket() {
  const chain = await startLaunchpadChain({ chainId: 97, firstNonce: 97 });
  const feed = await startPriceFeed(chain);
  const [creator, early, late, dumper] = chain.traders as [Address, Address, Address, Address];
  const friend = chain.traders[5] as Address;
  const sellAll = async (account: Address, token: Address) =>
    chain.sell(account, token, await chain.balanceOf(token, account));
  const travel = (seconds: number) => chain.testClient.increaseTime({ seconds });

  /** Traded by many accounts. */
  const busy = await chain.create(creator, "Busy", "BUSY");
  await chain.buy(early, busy, 5n * milli);
  await chain.buy(creator, busy, 2n * milli);
  // The fourth block after the curve opened.
  await chain.buy(late, busy, 3n * milli);
  await chain.transfer(early, busy, friend, await chain.balanceOf(busy, early));
  await chain.transfer(late, busy, "0x000000000000000000000000000000000000dEaD", 10n ** 24n);
  // More than ten holders, not counting the burn address, which holds more than most of them.
  for (let index = 1; index <= 12; index++) {
    const account = `0x${String(index).padStart(40, "9")}` as const;
    await chain.transfer(late, busy, account, BigInt(index) * 10n ** 23n);
  }
  /** Never traded. */
  const quiet = await chain.create(creator, "Quiet", "QUIET", 70);
  await feed.answer(612_34567890n);

  /** Graduated. */
  const onDex = await chain.create(late, "On the DEX", "DEX", 30);
  await chain.buy(early, onDex, graduatingAmount);
  await chain.buyOnDex(friend, onDex, 7n * milli);
  await travel(30_000);
  await feed.answer(598_00000001n);
  await chain.sellOnDex(early, onDex, (await chain.balanceOf(onDex, early)) / 3n);

  /** Sold out by its creator, who then bought again. */
  const regained = await chain.create(creator, "Regained", "AGAIN");
  await chain.buy(creator, regained, 4n * milli);
  await sellAll(creator, regained);
  await travel(4_000);
  await chain.buy(creator, regained, milli);
  /** From another creator, who sold out for good. */
  const dumped = await chain.create(dumper, "Dumped", "DUMP");
  await chain.buy(dumper, dumped, 9n * milli);
  await travel(400);
  await sellAll(dumper, dumped);
  await chain.sell(late, busy, (await chain.balanceOf(busy, late)) / 2n);
  return { chain, feed, busy, quiet, onDex, regained, dumped };
}
