import {
  type Abi,
  type Address,
  BaseError,
  decodeErrorResult,
  decodeFunctionData,
  decodeFunctionResult,
  type Hex,
} from "viem";
import { expect } from "vitest";
import { dexRouterAbi } from "../../abis/DexRouter.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import type { LaunchpadChain } from "./launchpad-chain.ts";

/** A transaction in the format of quotes. */
export type QuotedTransaction = {
  to: Address;
  data: Hex;
  value: string;
  gas?: number;
  rpc: { to: Address; data: Hex; value: Hex; gas?: Hex };
};

/** Sends a transaction unchanged; it must succeed. The node estimates the gas if the transaction doesn't specify it. */
export async function sendAsIs(chain: LaunchpadChain, from: Address, transaction: QuotedTransaction) {
  const params = [{ from, ...transaction.rpc }];
  const hash = await chain.testClient.request({ method: "eth_sendTransaction", params } as never);
  const receipt = await chain.publicClient.waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe("success");
  return receipt;
}

/** Returns the trade's output: what the contract that the transaction calls would return. */
export async function simulateTrade(
  chain: LaunchpadChain,
  from: Address,
  { to, data, value }: QuotedTransaction,
): Promise<bigint> {
  const answer = await chain.publicClient.call({ account: from, to, data, value: BigInt(value) });
  const abi: Abi = to === chain.deployment.router.toLowerCase() ? dexRouterAbi : launchpadAbi;
  const { functionName } = decodeFunctionData({ abi, data });
  const result = decodeFunctionResult({ abi, functionName, data: answer.data ?? "0x" });
  return Array.isArray(result) ? result.at(-1) : (result as bigint);
}

/** Returns why the transaction would revert: the name of the contract's error, or its text. Undefined: it would not revert. */
export async function revertReason(
  chain: LaunchpadChain,
  from: Address,
  { to, data, value }: QuotedTransaction,
): Promise<string | undefined> {
  try {
    await chain.publicClient.call({ account: from, to, data, value: BigInt(value) });
    return undefined;
  } catch (error) {
    const { errorName, args } = decodeErrorResult({ abi: knownErrors, data: revertData(error) });
    return errorName === "Error" ? String(args[0]) : errorName;
  }
}

const textError = { type: "error", name: "Error", inputs: [{ type: "string", name: "reason" }] } as const;
const knownErrors = [...launchpadAbi, ...launchTokenAbi, ...tokenFactoryAbi, textError];

function revertData(error: unknown): Hex {
  if (!(error instanceof BaseError)) throw error;
  const withData = error.walk((cause) => (cause as { data?: unknown }).data !== undefined);
  const data = (withData as { data?: Hex | { data?: Hex } } | null)?.data;
  const found = typeof data === "object" ? data.data : data;
  if (found === undefined) throw error;
  return found;
}
