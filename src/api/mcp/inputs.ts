import { z } from "zod";

/** Inputs that many tools share. */

export const address = (description: string) =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an address: 0x and 40 hexadecimal digits")
    .describe(description)
    .meta({ examples: ["0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe"] })
    // Last: metadata added after a transform is not part of the arguments' schema.
    .transform((value) => value.toLowerCase() as `0x${string}`);

export const mint = address("The token's contract address, as find_tokens returns it.");

export const chainId = z
  .union([z.literal(56), z.literal(97)], "must be 56 (mainnet) or 97 (testnet)")
  .optional()
  .describe("56 (BNB Smart Chain) or 97 (its testnet). If omitted, mainnet if it is indexed.");

export const limit = (max: number, byDefault: number) =>
  z.int().min(1).max(max).default(byDefault).describe(`The maximum number of rows, up to ${max}.`);

/** Formats a number without an exponent, with at most as many decimals as the query accepts. */
export function toPlainDecimal(value: number | undefined, decimals: number): string | undefined {
  return value?.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: decimals });
}
