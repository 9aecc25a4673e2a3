import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
import { hashSelection, holderCursor, parseCursor } from "../http/cursor.ts";
import { withEtag } from "../http/etag.ts";
import {
  blockOrTime,
  chainId,
  cursorBy,
  lastDays,
  limit,
  minBlock,
  mintParameter,
  nextCursor,
  pageFields,
  pageUpTo,
} from "../http/parameters.schema.ts";
import { problems, tokenProblems } from "../http/problem.schema.ts";
import { accountLabels, risk } from "../market/market.schema.ts";

/** The last rank that pages reach. */
export const maxRank = 10_000;

/** The most holders that an answer in CSV has. */
export const maxCsvRows = 200_000;

/** What a list of holders is of. Cursors of another one are refused. */
export const selectionOf = (chainId: number, mint: string, at: object | undefined) =>
  hashSelection([chainId, mint, at]);

/** Parses a cursor of any list of holders. */
function parseHolderCursor(text: string) {
  const [, selection = ""] = /^holders-([\w-]{8})\./.exec(text) ?? [];
  const position = parseCursor(text, holderCursor(selection));
  return position && { selection, position };
}

const holder = z.object({
  rank: z.int().min(1),
  address: z.string(),
  balanceRaw: z.string().regex(/^\d+$/).openapi({ description: "Base units (18 decimals)." }),
  percent: z
    .number()
    .min(0)
    .openapi({ description: "Percent of totalSupplyRaw, rounded down to 4 decimals." }),
  label: z.enum(["launchpad", "pair", "creator", "burn"]).nullable(),
  earlyBuyer: z.boolean().openapi({
    description: "Whether it bought in the curve's first three blocks.",
  }),
  labels: accountLabels,
});

export type Holder = z.input<typeof holder>;

const holders = z
  .object({
    mint: z.string(),
    chainId: z.int(),
    holderCount: z.int().openapi({
      description: "Accounts with a balance, not counting the launchpad, the pair and burn addresses.",
    }),
    totalSupplyRaw: z.string().regex(/^\d+$/).openapi({ description: "Base units (18 decimals)." }),
    risk: risk.optional().openapi({ description: "Absent with `at`: it is as of now." }),
    asOf: z.object({ block: z.int(), time: z.iso.datetime() }).nullable().optional().openapi({
      description:
        "With `at`: the last block up to it in which the token moved. Its balances are those of every block from this one to `at`. Null if the token did not exist yet.",
    }),
    holders: z.array(holder),
    ...pageFields,
    nextCursor,
  })
  .openapi("Holders");

export type Holders = z.input<typeof holders>;

const { 200: answer } = jsonAnswers(
  `A page of holders, the largest first. Pages reach down to rank ${maxRank}; CSV and GraphQL have all.`,
  holders,
);

export const holdersRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/holders",
  operationId: "getHolders",
  tags: ["Tokens"],
  summary:
    "Who holds a token: the number of holders, their concentration, and holders by balance with their share of the supply.",
  description:
    "The launchpad, the pair and burn addresses are listed with a label, but do not count as holders. With `at`, holders, balances, shares and labels are those of a past block; what `labels` says of an account is as of now. With `Accept: text/csv`, all holders come at once, for snapshots and airdrops, with the columns address, balance_raw (base units), percent and label; `page`, `limit` and `cursor` don't apply. Follow `nextCursor` to read the list while balances change: no page repeats or skips a holder, unless its own balance moves it past the cursor. With `cursor`, `rank` and `page` are as of now.",
  middleware: withEtag(),
  request: {
    params: mintParameter,
    query: z.object({
      page: pageUpTo(maxRank),
      limit,
      cursor: cursorBy(parseHolderCursor),
      at: blockOrTime.optional().openapi({
        description:
          "The block whose balances to return, as `balanceOf` returned them at its end: a block number, or a time in ISO 8601 (in UTC if it names no zone) for the last block at or before it.",
      }),
      chainId,
      minBlock,
    }),
  },
  responses: {
    200: { ...answer, content: { ...answer.content, "text/csv": { schema: z.string() } } },
    ...problems({
      ...tokenProblems,
      400: `A parameter is wrong, or there are more than ${maxCsvRows} holders for an answer in CSV (answer_too_large).`,
      404: "The index has no such token (yet), it has not reached the block or time of `at` (block_not_indexed), or the chain is not indexed here.",
    }),
  },
});

const maxDays = 365;

/** The most balances that an answer is computed from, one per holder and day. */
export const maxBalances = 500_000;

const holderDay = z.object({
  day: z.iso.date().openapi({ description: "The day in UTC." }),
  holders: z.int().min(0).openapi({
    description: "Accounts with a balance, not counting the launchpad, the pair and burn addresses.",
  }),
  top10Percent: z.number().min(0).nullable().openapi({
    description:
      "Percent of the circulating supply that the ten largest holders held, rounded down to 4 decimals. Null if nothing circulated.",
  }),
  effectiveHolders: z.number().min(0).nullable().openapi({
    description: "Effective number of holders, as in `risk`. Null if nothing circulated.",
  }),
});

const holderDays = z
  .object({
    mint: z.string(),
    chainId: z.int(),
    asOf: z.object({ block: z.int(), time: z.iso.datetime() }).openapi({
      description: "The last indexed block. It is in the last day, which is not over yet.",
    }),
    days: z.array(holderDay).openapi({
      description: "Oldest first, each day once, from the token's creation at the earliest.",
    }),
  })
  .openapi("HolderDays");

export type HolderDays = z.input<typeof holderDays>;

export const holderDaysRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/holders/history",
  operationId: "getHolderHistory",
  tags: ["Tokens"],
  summary:
    "How many holders a token had at the end of each day, and how concentrated their holdings were, for charts.",
  description: `Days begin at midnight UTC; the last one is that of the last indexed block. An answer is computed from at most ${maxBalances} balances, one per holder and day: a token with 10,000 holders has ${maxBalances / 10_000} days.`,
  middleware: withEtag(),
  request: {
    params: mintParameter,
    query: z.object({
      days: lastDays(maxDays),
      chainId,
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers("The days.", holderDays),
    ...problems(tokenProblems),
  },
});
