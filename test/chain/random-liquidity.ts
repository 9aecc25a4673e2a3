import {
  type Abi,
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  numberToHex,
  parseEther,
} from "viem";
import { dexRouterAbi } from "../../abis/DexRouter.ts";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import type { Transaction } from "../../local/market/actions.ts";
import type { Random } from "../../local/market/random.ts";
import type { Rpc } from "../../local/market/rpc.ts";
import { traderAddresses } from "../../local/market/traders.ts";
import type { MarketToken, MarketView } from "../../local/market/view.ts";

const traders = new Set<Address>(traderAddresses);
const noDeadline = 2n ** 32n;
/** Attempts per block, and the probability that each does something. */
const [attempts, likelihood] = [3, 0.5];

type Pool = MarketToken & { pair: Address };

/** Lets simulated traders add liquidity to the pairs of graduated tokens, and remove it again. */
export function createRandomLiquidity(rpc: Rpc, { router }: LaunchpadDeployment, random: Random) {
  const provided = new Map<string, [Address, Address]>();

  function call(from: Address, to: Address, abi: Abi, functionName: string, args: unknown[], value = 0n) {
    const data = encodeFunctionData({ abi, functionName, args });
    const gas = numberToHex(1_000_000);
    return { from, to, data, value: numberToHex(value), gas, gasPrice: numberToHex(10 ** 9) } as Transaction;
  }

  const approval = (from: Address, token: Address) =>
    call(from, token, erc20Abi, "approve", [router, maxUint256]);

  function add(pools: Pool[]): Transaction[] {
    const pool = random.pick(pools);
    const holders = [...pool.balances].filter(([account, balance]) => balance > 0n && traders.has(account));
    if (holders.length === 0) return [];
    const [from, balance] = random.pick(holders);
    const tokens = (balance * BigInt(random.integer(1, 60))) / 100n;
    const bnb = parseEther(random.around(0.001, 0.9).toFixed(18));
    provided.set(`${from} ${pool.address}`, [from, pool.address]);
    const args = [pool.address, tokens, 0n, 0n, from, noDeadline];
    return [approval(from, pool.address), call(from, router, dexRouterAbi, "addLiquidityETH", args, bnb)];
  }

  async function remove(pools: Pool[]): Promise<Transaction[]> {
    if (provided.size === 0) return [];
    const [from, token] = random.pick([...provided.values()]);
    const pair = pools.find(({ address }) => address === token)?.pair;
    if (pair === undefined) return [];
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [from] });
    const [balance] = await rpc<[Hex]>([["eth_call", [{ to: pair, data }, "latest"]]]);
    // It is 0 if a reorg removed the block that added it.
    const liquidity = (BigInt(balance) * random.pick([30n, 100n])) / 100n;
    if (liquidity === 0n) return [];
    const args = [token, liquidity, 0n, 0n, from, noDeadline];
    return [approval(from, pair), call(from, router, dexRouterAbi, "removeLiquidityETH", args)];
  }

  /** Returns the transactions of a block. */
  return async ({ tokens }: MarketView): Promise<Transaction[]> => {
    const pools = [...tokens.values()].filter((token): token is Pool => token.pair !== undefined);
    const transactions: Transaction[] = [];
    for (let attempt = 0; attempt < attempts && pools.length > 0; attempt++) {
      if (!random.chance(likelihood)) continue;
      transactions.push(...(random.chance(0.6) ? add(pools) : await remove(pools)));
    }
    return transactions;
  };
}
