import {
  type Abi,
  type AbiParameter,
  type Address,
  decodeErrorResult,
  decodeFunctionData,
  type Hex,
} from "viem";
import { dexRouterAbi } from "../../../abis/DexRouter.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import type { ChainSettings } from "../../../config/env.ts";

/** The contracts whose address we know. */
type OurContracts = Pick<ChainSettings, "launchpad" | "tokenFactory">;

/**
 * Decodes a call of a contract, with arguments by name: of launchpad and factory by their address, and of any other contract by the
 * functions of tokens and the DEX router. Returns undefined for any other call.
 */
export function decodeCallTo(to: Address, data: Hex, ours: OurContracts): DecodedCall | undefined {
  const isTo = (address: Address) => address.toLowerCase() === to.toLowerCase();
  if (isTo(ours.launchpad)) return decodeCall(data, [launchpadAbi]);
  if (isTo(ours.tokenFactory)) return decodeCall(data, [tokenFactoryAbi]);
  return decodeCall(data, [launchTokenAbi, dexRouterAbi]);
}

const allAbis: Abi[] = [launchpadAbi, tokenFactoryAbi, launchTokenAbi, dexRouterAbi];

export type DecodedCall = {
  functionName: string;
  args: Record<string, unknown>;
  /** The declarations of the arguments. */
  inputs: readonly AbiParameter[];
};

/**
 * Decodes a call of one of our contracts or the DEX router, with arguments by name. Returns undefined for any other
 * call.
 */
export function decodeCall(data: Hex, abis = allAbis): DecodedCall | undefined {
  for (const abi of abis) {
    try {
      const { functionName, args = [] } = decodeFunctionData({ abi, data });
      const declared = abi.find((item) => item.type === "function" && item.name === functionName);
      const inputs = declared?.type === "function" ? declared.inputs : [];
      return {
        functionName,
        inputs,
        args: Object.fromEntries(args.map((value, index) => [inputs[index]?.name || String(index), value])),
      };
    } catch {
      // Another ABI may have the function.
    }
  }
  return undefined;
}

const textError = { type: "error", name: "Error", inputs: [{ type: "string", name: "reason" }] } as const;
const errors = [...launchpadAbi, ...tokenFactoryAbi, ...launchTokenAbi, textError] as const;

const errorNames = new Set<string>(
  errors.flatMap((item) => (item.type === "error" && item.name !== "Error" ? [item.name] : [])),
);

/** Whether a reason is the name of one of our errors, and not a text that any contract may have put there. */
export const isErrorName = (reason: string) => errorNames.has(reason);

/**
 * Decodes why a contract reverted: the name of one of our errors, or a DEX's short text. Returns undefined for any
 * other reason.
 */
export function revertReason(data: Hex): string | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: errors, data });
    if (errorName !== "Error") return errorName;
    const reason = String(args?.[0] ?? "");
    // A hostile contract can put any text here.
    return /^[A-Za-z0-9_: ]{1,60}$/.test(reason) ? reason : undefined;
  } catch {
    return undefined;
  }
}
