import { z } from "zod";

/** What many tools take. */

export const address = (description: string) =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an address: 0x and 40 hexadecimal digits")
    .describe(description)
    .meta({ examples: ["0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe"] })
    // Last: what is said of a value that is transformed is not part of the schema of arguments.
    .transform((value) => value.toLowerCase() as `0x${string}`);

export const mint = address("The token's contract address, as find_tokens returns it.");

export const chainId = z
  .union([z.literal(56), z.literal(97)], "must be 56 (mainnet) or 97 (testnet)")
  .optional()
  .describe("56 (BNB Smart Chain) or 97 (its testnet). Default: mainnet if it is indexed.");

export const limit = (most: number, byDefault: number) =>
  z.int().min(1).max(most).default(byDefault).describe(`Maximum number of rows, up to ${most}.`);
