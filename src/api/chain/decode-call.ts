import { type Abi, decodeErrorResult, decodeFunctionData, type Hex } from "viem";
import { dexRouterAbi } from "../../../abis/DexRouter.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";

const abis: Abi[] = [launchpadAbi, tokenFactoryAbi, launchTokenAbi, dexRouterAbi];

export type DecodedCall = { functionName: string; args: Record<string, unknown> };

/**
 * Decodes a call of one of our contracts or the DEX router, with arguments by name. Returns undefined for any other
 * call.
 */
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
      // Another ABI may have the function.
    }
  }
  return undefined;
}

const textError = { type: "error", name: "Error", inputs: [{ type: "string", name: "reason" }] } as const;
const errors = [...launchpadAbi, ...tokenFactoryAbi, ...launchTokenAbi, textError] as const;

/**
 * Decodes why a contract reverted: the name of one of our errors, or a DEX's short text. Returns undefined for any
 * other reason.
 */
export function revertReason(data: Hex): string | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: errors, data });
    if (errorName !== "Error") return errorName;
    const [reason = ""] = args as [string];
    // A hostile contract can put any text here.
    return /^[A-Za-z0-9_: ]{1,60}$/.test(reason) ? reason : undefined;
  } catch {
    return undefined;
  }
}
