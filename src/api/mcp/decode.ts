import { type Abi, type Address, decodeErrorResult, decodeFunctionData, type Hex } from "viem";
import { dexRouterAbi } from "../../../abis/DexRouter.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";

const abis: Abi[] = [launchpadAbi, tokenFactoryAbi, launchTokenAbi, dexRouterAbi];

export type DecodedCall = { functionName: string; args: Record<string, unknown> };

/** A call of one of our contracts, read from its bytes; arguments by name. Undefined: no function of theirs. */
export function decodeCall(data: Hex): DecodedCall | undefined {
  for (const abi of abis) {
    try {
      const { functionName, args = [] } = decodeFunctionData({ abi, data });
      const declared = abi.find((item) => item.type === "function" && item.name === functionName);
      const inputs = declared?.type === "function" ? declared.inputs : [];
      return {
        functionName,
        args: Object.fromEntries(args.map((value, index) => [inputs[index]?.name || String(index), value])),
      };
    } catch {
      // Another one may know it.
    }
  }
  return undefined;
}

const textError = { type: "error", name: "Error", inputs: [{ type: "string", name: "reason" }] } as const;
const errors = [...launchpadAbi, ...tokenFactoryAbi, ...launchTokenAbi, textError] as const;

/** Why a contract reverted: the name of an error of ours, or a DEX's own short text. Undefined: another one. */
export function revertReason(data: Hex): string | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: errors, data });
    if (errorName !== "Error") return errorName;
    const [reason = ""] = args as [string];
    // Any contract can say anything.
    return /^[A-Za-z0-9_: ]{1,60}$/.test(reason) ? reason : undefined;
  } catch {
    return undefined;
  }
}

export const sameAddress = (left: string | null | undefined, right: Address | string) =>
  left?.toLowerCase() === right.toLowerCase();
