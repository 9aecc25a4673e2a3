import type { Address } from "viem";
import { launchTokenAbi } from "../../../../abis/LaunchToken.ts";
import { statsRoute } from "../../stats/stats.routes.ts";
import type { AmountFacts } from "../amount.ts";
import type { ToolContext } from "../tool.ts";
import { readToken } from "./read-token.ts";

type Trade = {
  mint: Address;
  side: "buy" | "sell";
  account: Address;
  chainId: number | undefined;
  /** Wei that a buy must leave for gas. */
  gasReserve: bigint;
};

/** Returns readers of what an account can pay with, called only if the amount depends on it. */
export function accountBalances(
  { ask, chain }: Pick<ToolContext, "ask" | "chain">,
  { mint, side, account, chainId, gasReserve }: Trade,
): AmountFacts {
  return {
    async spendable() {
      if (side === "sell") {
        const balance = {
          address: mint,
          abi: launchTokenAbi,
          functionName: "balanceOf",
          args: [account],
        } as const;
        return await chain.read(chainId, (client) => client.readContract(balance));
      }
      const wei = await chain.read(chainId, (client) => client.getBalance({ address: account }));
      return wei > gasReserve ? wei - gasReserve : 0n;
    },
    async unitUsd() {
      return side === "sell"
        ? (await readToken(ask, mint, chainId)).priceUsd
        : (await ask(statsRoute, { query: { chainId } })).bnbUsd;
    },
  };
}
