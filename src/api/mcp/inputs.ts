import { zeroAddress } from "viem";
import { z } from "zod";
import {
  addressMessage,
  addressPattern,
  isMistyped,
  mistyped,
  toLowerHex,
} from "../http/parameters.schema.ts";

/** Inputs that many tools share. */

/** Without an example, which would be in the list of tools twenty times: the pattern says it all. */
export const address = (description: string) => withLowercase(addressText.describe(description));

/** An account that may receive money, whose checksum has to be right, if it has one. */
export const payableAccount = (description: string) =>
  withLowercase(
    addressText
      .refine((text) => !isMistyped(text), mistyped)
      .refine((text) => text !== zeroAddress, "must not be the zero address")
      .describe(description),
  );

/** One address or up to 100. */
export const addresses = (description: string) =>
  oneOrMore(withLowercase(addressText), 100, addressMessage).describe(
    `${description} One address or a list.`,
  );

const addressText = z.string().regex(addressPattern, { message: addressMessage, abort: true });

/** Comes last: metadata added after a transform is not part of the arguments' schema. */
function withLowercase(schema: typeof addressText) {
  return schema.transform(toLowerHex);
}

/**
 * Takes one value or several. An empty list is refused: none of the events, or all of them, might be meant. The message completes
 * the sentence "`argument` ...".
 */
export function oneOrMore<Item extends z.ZodType>(item: Item, max: number, message: string) {
  return z
    .union(
      [item, z.array(item).min(1, "must not be empty: leave it out for all").max(max)],
      `${message}, or a list of 1 to ${max} of them`,
    )
    .optional();
}

export const mint = address("The token's contract address, as find_tokens returns it.");

export const chainId = z
  .literal([56, 97], "must be 56 (mainnet) or 97 (testnet)")
  .optional()
  .describe("56: mainnet (default). 97: testnet.");

export const limit = (max: number, byDefault: number) =>
  z.int().min(1).max(max).default(byDefault).describe("Rows.");

/** Formats a number without an exponent, with at most as many decimals as the query accepts. */
export function toPlainDecimal(value: number | undefined, decimals: number): string | undefined {
  return value?.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: decimals });
}
