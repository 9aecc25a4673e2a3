import { createRequire } from "node:module";
import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseEther,
  zeroAddress,
} from "viem";
import { dexPairAbi } from "../../abis/DexPair.ts";
import { dexRouterAbi } from "../../abis/DexRouter.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import type { Anvil } from "./anvil.ts";

/*
 * Contracts that make any calls for anyone, in one transaction. By their calls they are contract wallets, bots, aggregators or
 * borrowers.
 */

const { abi, bytecode }: { abi: Abi; bytecode: Hex } = createRequire(import.meta.url)(
  "../../contracts/artifacts/test/Agent.json",
);
const farFuture = 2n ** 32n;

/** A share of the balance that the agent has when it makes the call, in percent. */
type Share = { percent: number };
/** Base units. */
type Amount = bigint | Share;

export type AgentCall = {
  target: Address;
  value: bigint;
  data: Hex;
  token: Address;
  percent: bigint;
  offset: bigint;
};

/** Deploys agents, each with 100 BNB. Mines a block. */
export async function deployAgents(
  { testClient, publicClient }: Pick<Anvil, "testClient" | "publicClient">,
  { from, count }: { from: Address; count: number },
): Promise<Address[]> {
  const hashes: Hex[] = [];
  for (let index = 0; index < count; index++) {
    hashes.push(
      await testClient.request({
        method: "eth_sendTransaction",
        params: [{ from, data: bytecode, gas: "0x3d0900" }],
      } as never),
    );
  }
  await testClient.mine({ blocks: 1 });
  const agents = await Promise.all(
    hashes.map(async (hash) => {
      const { contractAddress } = await publicClient.getTransactionReceipt({ hash });
      if (!contractAddress) throw new Error("the agent was not deployed");
      return contractAddress.toLowerCase() as Address;
    }),
  );
  for (const address of agents) await testClient.setBalance({ address, value: parseEther("100") });
  return agents;
}

/** Encodes a call of `execute`, which makes the calls as the agent. With `mayFail`, those that revert are left out. */
export function executing(calls: AgentCall[], mayFail = false): Hex {
  return encodeFunctionData({ abi, functionName: "execute", args: [calls, mayFail] });
}

/** A call of a function whose arguments have a fixed size. One of them may be a share of the agent's balance of `token`. */
export function agentCall(
  target: Address,
  contract: Abi,
  functionName: string,
  args: unknown[] = [],
  { value = 0n, token = target }: { value?: bigint; token?: Address } = {},
): AgentCall {
  const isShare = (arg: unknown): arg is Share => typeof arg === "object" && arg !== null && "percent" in arg;
  const index = args.findIndex(isShare);
  const data = encodeFunctionData({
    abi: contract,
    functionName,
    args: args.map((arg) => (isShare(arg) ? 0n : arg)),
  });
  const share = args[index];
  if (!isShare(share)) return { target, value, data, token: zeroAddress, percent: 0n, offset: 0n };
  return { target, value, data, token, percent: BigInt(share.percent), offset: BigInt(4 + 32 * index) };
}

export const everything: Share = { percent: 100 };

/** The calls with which agents trade and move tokens. */
export function createAgentCalls({ launchpad, router, wbnb }: LaunchpadDeployment) {
  const onRouter = (functionName: string, args: unknown[], options?: Parameters<typeof agentCall>[4]) =>
    agentCall(router, dexRouterAbi, functionName, args, options);
  return {
    buy: (token: Address, value: bigint) =>
      agentCall(launchpad, launchpadAbi, "buy", [token, 0n, farFuture], { value }),
    sell: (token: Address, amount: Amount) =>
      agentCall(launchpad, launchpadAbi, "sell", [token, amount, 0n, farFuture], { token }),
    buyOnDex: (token: Address, to: Address, value: bigint, path = [wbnb, token]) =>
      onRouter("swapExactETHForTokens", [0n, path, to, farFuture], { value }),
    /** Buys an exact amount, for at most 0.1 BNB. */
    buyExactly: (token: Address, to: Address, amount: bigint) =>
      onRouter("swapETHForExactTokens", [amount, [wbnb, token], to, farFuture], { value: 10n ** 17n }),
    sellOnDex: (token: Address, to: Address, amount: Amount, path = [token, wbnb]) =>
      onRouter("swapExactTokensForETH", [amount, 0n, path, to, farFuture], { token }),
    swapTokens: (path: Address[], to: Address, amount: Amount) =>
      onRouter("swapExactTokensForTokens", [amount, 0n, path, to, farFuture], { token: path[0] }),
    addLiquidity: (token: Address, to: Address, amount: Amount, value: bigint) =>
      onRouter("addLiquidityETH", [token, amount, 0n, 0n, to, farFuture], { value, token }),
    transfer: (token: Address, to: Address, amount: Amount) =>
      agentCall(token, launchTokenAbi, "transfer", [to, amount]),
    /** Takes tokens that their owner has approved. */
    pull: (token: Address, from: Address, to: Address, amount: bigint) =>
      agentCall(token, launchTokenAbi, "transferFrom", [from, to, amount]),
    approve: (token: Address, spender: Address) =>
      agentCall(token, launchTokenAbi, "approve", [spender, maxUint256]),
    burn: (token: Address, amount: Amount) => agentCall(token, launchTokenAbi, "burn", [amount]),
    /** Lets another agent make calls. */
    ask: (agent: Address, calls: AgentCall[]) => agentCall(agent, abi, "execute", [calls, false]),
    /** Swaps without a router. The calls are made after the pair has sent the amounts, and pay for them. */
    swap: (pair: Address, out: [bigint, bigint], to: Address, calls: AgentCall[] = []) =>
      agentCall(pair, dexPairAbi, "swap", [...out, to, calls.length === 0 ? "0x" : encodedCalls(calls)]),
  };
}

function encodedCalls(calls: AgentCall[]): Hex {
  const [execute] = abi.filter((item) => item.type === "function" && item.name === "execute");
  if (execute?.type !== "function") throw new Error("no execute");
  return encodeAbiParameters([execute.inputs[0] as never], [calls] as never);
}
