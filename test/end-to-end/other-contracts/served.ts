import { type Address, encodeFunctionData, parseEventLogs } from "viem";
import { expect } from "vitest";
import { dexFactoryAbi } from "../../../abis/DexFactory.ts";
import { dexPairAbi } from "../../../abis/DexPair.ts";
import { wbnbAbi } from "../../../abis/Wbnb.ts";
import { freePort } from "../../../runtime/checks/host.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { deployLogEmitter } from "../../chain/log-emitter.ts";
import { deployPrevious } from "../../chain/previous-launchpad.ts";
import { serveChains } from "../../service/served-chains.ts";

export type OtherContractsServed = Awaited<ReturnType<typeof serveOtherContracts>>;

/** The contracts from before createTokenAndBuy on mainnet, and contracts that emit whatever a test wants on testnet. */
export async function serveOtherContracts() {
  const [previous, hostile] = await Promise.all([startPreviousChain(), startHostileChain()]);
  const metricsPort = await freePort();
  const env = { METRICS_PORT: String(metricsPort) };
  return { ...(await serveChains([previous.chain, hostile.chain], { env })), previous, hostile, metricsPort };
}

async function startHostileChain() {
  const chain = await startLaunchpadChain({ chainId: 97 });
  const emitter = () => deployLogEmitter(chain);
  const [factory, launchpad] = [await emitter(), await emitter()];
  const tokens = [await emitter(), await emitter(), await emitter()];
  const pairs = [await emitter(), await emitter()];
  const withoutCurve = await emitter();
  const deployment = { tokenFactory: factory.address, launchpad: launchpad.address, startBlock: 0 };
  const indexed = () => ({ ...chain.indexed(), deployment });
  return { chain: { ...chain, indexed }, factory, launchpad, tokens, pairs, withoutCurve };
}

/** One token that graduated into a previously skewed pair and was traded there, and one half sold on its curve. */
async function startPreviousChain() {
  const chain = await startLaunchpadChain({ deployContracts: deployPrevious("before createTokenAndBuy") });
  const [creator, buyer, other] = chain.traders;
  const graduated: Address = await chain.create(creator, "Skewed", "SKEW", 33);
  await chain.buy(buyer, graduated, graduatingAmount / 3n);
  await chain.sell(buyer, graduated, (await chain.balanceOf(graduated, buyer)) / 7n);
  await skewPair(chain, graduated, other);
  const { logs } = await chain.buy(other, graduated, graduatingAmount);
  // The swap with which the launchpad empties the pair is not a trade.
  expect(parseEventLogs({ abi: dexPairAbi, eventName: "Swap", logs })).toHaveLength(1);
  await chain.buyOnDex(buyer, graduated, graduatingAmount / 10n);
  await chain.sellOnDex(other, graduated, 10n ** 24n);
  const open = (await chain.create(creator, "Open", "OPEN", 70)).toLowerCase() as Address;
  await chain.buy(buyer, open, graduatingAmount / 2n);
  return { chain, graduated, open };
}

/** Adds WBNB to the reserves of a pair whose token has not graduated, which only these contracts allow. */
async function skewPair(chain: LaunchpadChain, token: Address, from: Address) {
  const { wbnb, dexFactory } = chain.deployment;
  const pair = await chain.publicClient.readContract({
    address: dexFactory,
    abi: dexFactoryAbi,
    functionName: "getPair",
    args: [token, wbnb],
  });
  const amount = 3n * graduatingAmount;
  await chain.send(from, wbnb, encodeFunctionData({ abi: wbnbAbi, functionName: "deposit" }), amount);
  await chain.transfer(from, wbnb, pair, amount);
  await chain.send(from, pair, encodeFunctionData({ abi: dexPairAbi, functionName: "sync" }));
}
