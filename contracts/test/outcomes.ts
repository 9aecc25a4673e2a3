import { createRequire } from "node:module";
import {
  type Address,
  BaseError,
  concatHex,
  decodeErrorResult,
  type Hex,
  isAddressEqual,
  numberToHex,
  parseEventLogs,
  type TransactionReceipt,
} from "viem";
import { expect } from "vitest";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import type { CompiledContract } from "../compiler.ts";

export function createdToken(receipt: TransactionReceipt): Address {
  const [created] = parseEventLogs({
    abi: tokenFactoryAbi,
    eventName: "TokenCreated",
    logs: receipt.logs,
  });
  if (!created) throw new Error("no token was created");
  return created.args.token;
}

/** A salt that only `owner` can use. */
export function boundSalt(owner: Address, number: number): Hex {
  return concatHex([owner.toLowerCase() as Address, numberToHex(number, { size: 12 })]);
}

export function artifact(path: string): CompiledContract {
  return createRequire(import.meta.url)(`../artifacts/${path}.json`);
}

/** Returns the gas costs of a transaction, in wei. */
export function gasCost({ gasUsed, effectiveGasPrice }: TransactionReceipt): bigint {
  return gasUsed * effectiveGasPrice;
}

/** Returns what an account paid for the gas of a transaction, in wei: nothing if another one sent it. */
export function gasPaidBy(account: Address, receipt: TransactionReceipt): bigint {
  return isAddressEqual(receipt.from, account) ? gasCost(receipt) : 0n;
}

/** Expects a call to revert with one of the contracts' custom errors. */
export async function expectRevert(call: Promise<unknown>, errorName: string, args?: unknown[]) {
  const thrown = await call.then(
    () => new Error(`should have reverted with ${errorName}`),
    (error: unknown) => error,
  );
  if (!(thrown instanceof BaseError)) throw thrown;
  const { data } = thrown.walk((error) => typeof (error as { data?: unknown }).data === "string") as {
    data?: Hex;
  };
  const abi = [...tokenFactoryAbi, ...launchpadAbi, ...launchTokenAbi];
  const decoded = decodeErrorResult({ abi, data: data ?? "0x" });
  expect(decoded.errorName).toBe(errorName);
  if (args) expect(decoded.args).toEqual(args);
}
