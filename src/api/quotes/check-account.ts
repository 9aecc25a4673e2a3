import type { Address, PublicClient } from "viem";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { isRevert } from "../../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../../config/env.ts";
import type { Side } from "../../domain/quote.ts";
import { bestEffortLimits, createChainClients, createEndpointBackoff } from "../chain/chain-client.ts";
import { type Simulation, simulate, simulateInOrder } from "../chain/simulate.ts";
import type { Quote } from "./quote.mapper.ts";
import type { QuoteWarning } from "./quote.schema.ts";

type AccountCheck = {
  mint: Address;
  side: Side;
  amountIn: bigint;
  account: Address;
  /** The account's token balance, in base units. */
  tokens: bigint;
  /** The contract that needs an allowance for the tokens of a sell. */
  spender: Address | undefined;
};

export type CheckAccount = (chain: ChainSettings, check: AccountCheck) => Promise<QuoteWarning[]>;

/**
 * Creates a check for what keeps an account from making a trade. It sends one request to the chain's endpoints, and
 * warns if they don't answer.
 */
export function createAccountCheck(): CheckAccount {
  const getClient = createChainClients(bestEffortLimits);
  const backoff = createEndpointBackoff();

  return async (chain, { mint, side, amountIn, account, tokens, spender }) => {
    const warnings = side === "sell" && tokens < amountIn ? [tooFewTokens(tokens, amountIn)] : [];
    if (backoff.isBackingOff(chain.id)) return [...warnings, notChecked];
    const client = getClient(chain);
    try {
      if (side === "buy") {
        const wei = await client.getBalance({ address: account });
        backoff.succeeded(chain.id);
        return wei < amountIn ? [tooLittleBnb(wei, amountIn)] : [];
      }
      if (spender === undefined) return warnings;
      const allowance = { address: mint, abi: launchTokenAbi, functionName: "allowance" } as const;
      const allowed = await client.readContract({ ...allowance, args: [account, spender] });
      backoff.succeeded(chain.id);
      return allowed < amountIn ? [...warnings, tooLittleAllowed(allowed, amountIn)] : warnings;
    } catch (error) {
      if (!isRevert(error)) backoff.failed(chain.id);
      return [...warnings, notChecked];
    }
  };
}

const tooFewTokens = (tokens: bigint, amountIn: bigint): QuoteWarning => ({
  code: "balance_too_low",
  message: `The account holds ${tokens} base units of the token, and the sell takes ${amountIn}.`,
});

const tooLittleBnb = (wei: bigint, amountIn: bigint): QuoteWarning => ({
  code: "balance_too_low",
  message: `The account has ${wei} wei, and the buy takes ${amountIn} and gas.`,
});

const tooLittleAllowed = (allowed: bigint, amountIn: bigint): QuoteWarning => ({
  code: "allowance_too_low",
  message: `The account allows the contract to take ${allowed} base units of the token, and the sell takes ${amountIn}: send approval first.`,
});

const notChecked: QuoteWarning = {
  code: "account_not_checked",
  message:
    "The chain's RPC endpoint does not answer: whether the account has the BNB, or has approved the sell, is not known.",
};

/** Simulates a quote's transaction as sent by this account now, after its approval if that is necessary. */
export async function simulateQuote(
  client: PublicClient,
  { transaction, approval }: Quote,
  { account, warnings }: { account: Address; warnings: QuoteWarning[] },
): Promise<Simulation> {
  if (transaction === null) return { outcome: "not_simulated" };
  if (approval !== null && needsApproval(warnings)) {
    return await simulateInOrder(client, account, [approval, transaction]);
  }
  return await simulate(client, { from: account, ...transaction });
}

/** Whether the approval has to be sent before the trade, as far as is known. */
export const needsApproval = (warnings: QuoteWarning[]) =>
  warnings.some(({ code }) => code === "allowance_too_low" || code === "account_not_checked");
