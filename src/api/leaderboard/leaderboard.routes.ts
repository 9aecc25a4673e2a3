import { createRoute, z } from "@hono/zod-openapi";
import { chainIds } from "../../../config/chains.ts";
import { averageCost } from "../accounts/account.schema.ts";
import { decimal, jsonAnswers, lowercaseAddress, signed, usd } from "../http/answer.schema.ts";
import { leaderCursor, parseCursor } from "../http/cursor.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, cursorBy, limit, nextCursor, pageFields, pageUpTo } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";

/** The lowest rank that pages reach. */
export const maxRank = 5_000;

const boardNames = ["realised", "volume", "trades", "created", "graduated"] as const;
export type BoardName = (typeof boardNames)[number];

/** Window lengths in seconds. Windows end with the last indexed block; `all` has no start. */
export const boardSeconds = { "24h": 86_400, "7d": 604_800, "30d": 2_592_000 } as const;
export type BoardWindow = keyof typeof boardSeconds;

const boardWindow = z.enum(["24h", "7d", "30d", "all"], "must be 24h, 7d, 30d or all");

/** Cursors of a board. Those of another one are refused. */
export const cursorOf = (chainId: number, by: BoardName, window: BoardWindow | "all") =>
  leaderCursor(`${chainId}-${by}-${window}`, by === "realised" || by === "volume");

/** Parses a cursor of any board. */
function parseBoardCursor(text: string) {
  for (const chainId of chainIds) {
    for (const by of boardNames) {
      for (const window of boardWindow.options) {
        const position = parseCursor(text, cursorOf(chainId, by, window));
        if (position !== undefined) return { chainId, by, window, position };
      }
    }
  }
  return undefined;
}

const unknownUsd = "Omitted if one of those trades had no BNB/USD rate.";

const leader = z.object({
  rank: z.int().min(1),
  address: lowercaseAddress.openapi({ description: "The account." }),
  realisedBnb: signed("BNB that its sells realised; a loss is below 0. On boards of traders.").optional(),
  realisedUsd: signed(
    `The same in USD, each trade at the rate of its time; a loss is below 0. ${unknownUsd}`,
  ).optional(),
  volumeBnb: decimal("BNB that it paid and received for tokens. On boards of traders.").optional(),
  volumeUsd: usd(`The same in USD, each trade at the rate of its time. ${unknownUsd}`),
  trades: z.int().min(1).optional().openapi({ description: "Buys and sells. On boards of traders." }),
  sells: z.int().min(0).optional().openapi({ description: "How many of these were sells." }),
  profitableSells: z.int().min(0).optional().openapi({
    description: "How many of the sells realised a gain in BNB.",
  }),
  tokensCreated: z.int().min(0).optional().openapi({
    description: "Tokens that it created. On boards of creators.",
  }),
  tokensGraduated: z.int().min(0).optional().openapi({
    description: "Tokens it created that graduated. On boards of creators.",
  }),
});

export type Leader = z.input<typeof leader>;

const leaderboard = z
  .object({
    chainId: z.int(),
    by: z.enum(boardNames),
    window: boardWindow,
    asOf: z.object({ block: z.int(), time: z.iso.datetime() }).openapi({
      description: "The block at which the window ends. All values are as of this block.",
    }),
    leaders: z.array(leader),
    total: z.int().min(0).openapi({
      description:
        "The exact number of accounts on the board, including those below the lowest rank that pages reach.",
    }),
    ...pageFields,
    nextCursor,
  })
  .openapi("Leaderboard");

export type Leaderboard = z.input<typeof leaderboard>;

export const leaderboardRoute = createRoute({
  method: "get",
  path: "/api/leaderboard",
  operationId: "getLeaderboard",
  tags: ["Accounts"],
  summary: "Accounts by what they realised or traded, or by the tokens that they created or graduated.",
  description: `Values are totals over all of an account's tokens, largest first; accounts with equal values are ordered by address, highest first. A board by \`realised\` has all accounts that sold in the window; by \`volume\` and \`trades\`, all that traded; by \`created\` and \`graduated\`, all with such a token. Windows are read at most every 30 seconds, on demand, and \`asOf\` names the block of that read; while a new read is under way, the last result is returned. Follow \`nextCursor\` to read a board while accounts move: no page repeats or skips an account, unless its own value moves it past the cursor. With \`cursor\`, \`rank\` and \`page\` are as of now. ${averageCost}`,
  middleware: withEtag(),
  request: {
    query: z.object({
      by: z
        .enum(boardNames, `must be one of ${boardNames.join(", ")}`)
        .optional()
        .default("realised")
        .openapi({
          description:
            "What accounts are ordered by: BNB realised by their sells, BNB traded, number of trades, tokens created, or created tokens that graduated.",
        }),
      window: boardWindow.optional().default("all").openapi({
        description:
          "The period that counts: the last 24 hours, 7 days or 30 days up to the block in `asOf`, or everything.",
      }),
      page: pageUpTo(maxRank),
      limit,
      cursor: cursorBy(parseBoardCursor),
      chainId,
    }),
  },
  responses: {
    ...jsonAnswers(
      `A page of the board. Pages reach down to rank ${maxRank}; GraphQL's accounts have all of them, to date.`,
      leaderboard,
    ),
    ...problems({
      ...chainProblems,
      503: "The database is unavailable, nothing is indexed yet, or a window is being read for the first time.",
    }),
  },
});
