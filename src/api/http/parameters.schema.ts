import { z } from "@hono/zod-openapi";
import { type Hex, isAddress } from "viem";
import { chainIds } from "../../../config/chains.ts";

/** The query parameter for a cursor, as it was sent: `readPage` parses it. */
export const cursor = z.string().optional().openapi({
  description:
    "Where the page begins: the `nextCursor` of the page before, with the same other parameters. If omitted, the first page.",
});

/** The query parameter for a cursor in a list that also has numbered pages. `parse` returns undefined for any other text. */
export function cursorBy<Position>(parse: (text: string) => Position | undefined) {
  return z
    .string()
    .transform((text, c): Position => {
      const position = parse(text);
      if (position !== undefined) return position;
      c.addIssue({ code: "custom", message: "must be the nextCursor of an answer, unchanged" });
      return z.NEVER;
    })
    .optional()
    .openapi({
      type: "string",
      description:
        "Where the page begins: the `nextCursor` of the page before, with the same other parameters. Not together with `page`.",
    });
}

/** The `nextCursor` field of every paginated response. */
export const nextCursor = z.string().nullable().openapi({
  description: "The `cursor` of the next page; null on the last page.",
});

/** The fields of a response that say which page of a list it is: as requested, and whether another one follows. */
export const pageFields = { page: z.int(), limit: z.int(), hasMore: z.boolean() };

/** Schemas of parameters that many requests share. A message completes the sentence "`path` ...". */

export const addressPattern = /^0x[0-9a-fA-F]{40}$/;
export const addressMessage = "must be an address: 0x and 40 hexadecimal digits";

/** For text that is 0x and hexadecimal digits. */
export const toLowerHex = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`;

const addressText = z
  .string({ error: ({ input }) => (input === undefined ? "is missing" : "must be a string") })
  .regex(addressPattern, { message: addressMessage, abort: true });

const addressDescription = {
  type: "string" as const,
  pattern: "^0x[0-9a-fA-F]{40}$",
  example: "0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe",
};

/** An account or contract address, in any case; lower-case once parsed. */
export const address = addressText.transform(toLowerHex).openapi(addressDescription);

const mixedCase = /[a-f].*[A-F]|[A-F].*[a-f]/;

/** Whether the case of an address's letters is the checksum (EIP-55) of another address. */
export const isMistyped = (text: string): boolean => mixedCase.test(text.slice(2)) && !isAddress(text);

export const mistyped =
  "has a wrong checksum (EIP-55), so that a digit may be wrong: copy it again, or write it in lower case";

/** An account that money may go to: as `address`, but its checksum must be right if it has one. */
export const payableAccount = addressText
  .refine((text) => !isMistyped(text), mistyped)
  .transform(toLowerHex)
  .openapi(addressDescription);

/** A whole number in a query, within bounds. */
export function wholeNumber(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string({ error: ({ input }) => (input === undefined ? `is missing: it ${message}` : message) })
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, message)
    .openapi({ type: "integer", minimum, maximum });
}

/**
 * A decimal number in a query, as digits with a point. Small ones may have an exponent, as programs print them: 5e-05 in Python, 5.0E-5
 * in Java. More decimals than allowed are refused in either form.
 */
export function decimalText(decimals: number, { digits, message }: { digits: number; message: string }) {
  return z
    .string(message)
    .transform((text) =>
      text.replace(
        /^(\d)(?:\.(\d{1,16}))?e-0?([1-9]\d?)$/i,
        (_, whole, fraction = "", exponent) => `0.${"0".repeat(exponent - 1)}${whole}${fraction}`,
      ),
    )
    .pipe(
      z.string().regex(new RegExp(`^\\d{1,${digits}}(\\.\\d{1,${decimals}})?$`), { message, abort: true }),
    );
}

const chainMessage = "must be 56 (mainnet) or 97 (testnet)";

/** The chain that a query is about. Defaults to mainnet if it is indexed, otherwise to the one that is. */
export const chainId = z
  .enum(chainIds.map(String) as ["56", "97"], chainMessage)
  .transform(Number)
  .optional()
  .openapi({
    type: "integer",
    enum: [...chainIds],
    description:
      "56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is.",
  });

/** The chain that a JSON body is about. */
export const bodyChainId = z
  .union([z.literal(56), z.literal(97)], chainMessage)
  .optional()
  .openapi({ type: "integer", enum: [...chainIds] });

/** A block that the response has to reflect. A middleware waits for it before the route runs. */
export const minBlock = wholeNumber(0, 9_999_999_999).optional().openapi({
  description:
    "Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`.",
});

/** The token's address in a path. */
export const mintParameter = z.object({
  mint: address.openapi({
    param: { name: "mint", in: "path" },
    description: "The token's contract address.",
  }),
});

/** The number of a page, in a list that also has cursors. Generated clients send defaults, and so could never send a cursor. */
export const pageUpTo = (maximum: number) =>
  wholeNumber(1, maximum).optional().openapi({
    type: "integer",
    minimum: 1,
    description: "The page number, from 1. If omitted, the first page, unless there is a `cursor`.",
  });

export const page = pageUpTo(100_000_000);

export const limit = wholeNumber(1, 100)
  .optional()
  .default(20)
  .openapi({ default: 20, description: "Entries per page." });

/** How many of the last days an answer has. */
export const lastDays = (maximum: number) =>
  wholeNumber(1, maximum)
    .optional()
    .default(30)
    .openapi({ default: 30, description: "How many days, including today." });

/** Free text in a query. Control characters are refused: no searchable text has any. */
export const searchQuery = z
  .string()
  .transform((value) => value.trim())
  .refine((value) => value.length <= 200, "must have at most 200 characters")
  .refine((value) => !/\p{Cc}/u.test(value), "must have no control characters")
  .refine((value) => value.isWellFormed(), "must be well-formed Unicode")
  .transform((value) => value || undefined)
  .optional();

/** The last second of the year 9999. Anything larger was probably meant in milliseconds. */
const lastSecond = 253_402_300_799;
/** In 2001, long before the chain. Anything smaller but 0, "from the beginning", was probably meant as a block. */
const firstSecond = 1_000_000_000;

const zones = { offset: true, local: true };
const isoTime = z.union([z.iso.datetime(zones), z.iso.datetime({ ...zones, precision: -1 }), z.iso.date()]);

const timeBy = (round: (seconds: number) => number) =>
  z
    .string()
    .transform((text, c) => {
      const seconds = parseTime(text);
      if (typeof seconds === "number") return round(seconds);
      c.addIssue({ code: "custom", message: seconds.problem });
      return z.NEVER;
    })
    .openapi({
      type: "string",
      example: "2026-01-31T12:00:00Z",
      description: "Seconds since 1970, or ISO 8601, in UTC if it names no zone.",
    });

/** A time in a query, parsed to the second since 1970 that contains it. */
export const time = timeBy(Math.floor);

/** A time in a query that divides earlier seconds from those at it or later, parsed to the first of the latter. */
export const timeBound = timeBy(Math.ceil);

/** What refuses a range whose ends are in the wrong order, for `refine`: it would be empty. */
export function inOrder<Name extends string>(
  first: Name,
  last: Name,
): [(query: { [name in Name]?: number | undefined }) => boolean, { path: string[]; message: string }] {
  return [
    ({ [first]: from, [last]: to }) => from === undefined || to === undefined || from <= to,
    { path: [first], message: `must not be later than ${last}` },
  ];
}

/** A block number, or a time in ISO 8601, which is parsed to whole seconds since 1970. */
export const blockOrTime = z
  .string()
  .transform((text, c) => {
    if (/^\d{1,10}$/.test(text)) return { block: Number(text) };
    const time = /^\d+$/.test(text) ? undefined : parseTime(text);
    if (typeof time === "number") return { time: Math.floor(time) };
    c.addIssue({
      code: "custom",
      message: "must be a block number, or a time in ISO 8601 such as 2026-01-31T12:00:00Z",
    });
    return z.NEVER;
  })
  .openapi({ type: "string", example: "2026-01-31T12:00:00Z" });

/** Returns seconds since 1970, with a fraction if the text has one. */
function parseTime(text: string): number | { problem: string } {
  if (/^\d{1,16}$/.test(text)) {
    const seconds = Number(text);
    if (seconds > lastSecond)
      return { problem: "is too large for seconds since 1970: if it is in milliseconds, divide by 1000" };
    return seconds === 0 || seconds >= firstSecond
      ? seconds
      : {
          problem:
            "is too small for seconds since 1970: if it is a block, give its time, as in 2026-01-31T12:00:00Z",
        };
  }
  // An unencoded plus sign arrives as a space.
  const iso = text.replace(/ (\d\d:\d\d)$/, "+$1");
  if (!isoTime.safeParse(iso).success) {
    return { problem: "must be a time: seconds since 1970, or ISO 8601 such as 2026-01-31T12:00:00Z" };
  }
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(iso) || !iso.includes("T");
  const seconds = Date.parse(hasZone ? iso : `${iso}Z`) / 1_000;
  // Date.parse reads milliseconds only. What comes after them counts when a time is rounded to seconds.
  return /\.\d{3}\d*[1-9]/.test(iso) ? seconds + 0.0005 : seconds;
}
