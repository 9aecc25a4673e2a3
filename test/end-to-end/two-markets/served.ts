import type { Address } from "viem";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { sized } from "../../run/long-run.ts";
import { serveChains } from "../../service/served-chains.ts";

export type TwoMarketsServed = Awaited<ReturnType<typeof serveTwoMarkets>>;

/** Keyed by whether the token is the pair's token0 or token1. */
export type Pools = Record<"first" | "second", { token: Address; pair: Address }>;

/** Two chains with a random market each, and additional tokens for the tests. */
export async function serveTwoMarkets() {
  const [mainnet, testnet] = await Promise.all([startLaunchpadChain(), startLaunchpadChain({ chainId: 97 })]);
  // The same deployer and transactions produce the same addresses on both chains.
  for (const chain of [mainnet, testnet]) {
    const [creator, buyer] = chain.traders;
    const token = await chain.create(creator, `Twin on ${chain.chainId}`, "TWIN");
    await chain.buy(buyer, token, chain === mainnet ? 10n ** 16n : graduatingAmount);
  }
  const blocks = sized({ usual: 20, long: 40 });
  await mainnet.trade(6, { blocks, actionsPerBlock: 4, creations: 0.02 });
  // No tokens on testnet: an address follows from the number of earlier tokens, so those made below must be on mainnet alone.
  await testnet.trade(5, { blocks, actionsPerBlock: 4, creations: 0 });
  const made = { ...(await makeTokens(mainnet)), pools: await makePools(mainnet) };
  return { ...(await serveChains([mainnet, testnet])), mainnet, testnet, ...made };
}

/** A token that is half sold, and one that graduated and was traded on the DEX, by accounts that do nothing else. */
async function makeTokens(chain: LaunchpadChain) {
  const [creator, buyer, friend] = chain.traders.slice(4) as [Address, Address, Address];
  const onCurve = await chain.create(creator, "On the curve", "CURVE", 40);
  await chain.buy(buyer, onCurve, 2n * 10n ** 16n);
  await chain.buy(creator, onCurve, 10n ** 15n);
  const onDex = await chain.create(creator, "On the DEX", "DEX", 30);
  await chain.buy(buyer, onDex, graduatingAmount);
  await chain.transfer(buyer, onDex, friend, 5n * 10n ** 18n);
  await chain.transfer(buyer, onDex, "0x000000000000000000000000000000000000dEaD", 7n);
  await chain.buyOnDex(friend, onDex, 10n ** 15n);
  return { creator, buyer, friend, onCurve, onDex };
}

/** A graduated token that is its pair's token0, and one that is token1. */
async function makePools(chain: LaunchpadChain): Promise<Pools> {
  const [creator, buyer] = chain.traders;
  const wbnb = chain.deployment.wbnb.toLowerCase();
  const pools: Partial<Pools> = {};
  while (pools.first === undefined || pools.second === undefined) {
    const token = await chain.create(creator);
    const order = token.toLowerCase() < wbnb ? "first" : "second";
    if (pools[order] !== undefined) continue;
    await chain.buy(buyer, token, graduatingAmount);
    pools[order] = { token, pair: await chain.pairOf(token) };
  }
  return pools as Pools;
}
