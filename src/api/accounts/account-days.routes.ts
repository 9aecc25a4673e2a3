import { createRoute, z } from "@hono/zod-openapi";
import type { Chains } from "../chain/chains.ts";
import { nothingIndexed } from "../chain/not-found.ts";
import { inSnapshot, type PooledDatabase } from "../database/database.ts";
import { decimal, jsonAnswers, signed, usd } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { address, chainId, lastDays, minBlock } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";
import { formatAmount } from "../market/price.ts";
import { daySeconds, isoDay } from "../market/time.ts";
import { readIndexState } from "../ponder/index-state.query.ts";
import { averageCost } from "./account.schema.ts";
import { type AccountDayRow, readAccountDays } from "./accounts.query.ts";

const maxDays = 365;

/** From so many trades an answer is computed. */
const maxTrades = 200_000;

const unknownUsd = "Omitted if one of those trades had no BNB/USD rate.";

const day = z.object({
  day: z.iso.date().openapi({ description: "In UTC." }),
  buys: z.int().min(0),
  sells: z.int().min(0),
  profitableSells: z.int().min(0).openapi({ description: "How many of the sells realised a gain in BNB." }),
  volumeBnb: decimal("BNB paid and received for tokens."),
  realisedBnb: signed("BNB that the sells realised; a loss is below 0."),
  realisedUsd: signed(
    `The same in USD, each trade at the rate of its time; a loss is below 0. ${unknownUsd}`,
  ).optional(),
  volumeUsd: usd(`volumeBnb in USD, each trade at the rate of its time. ${unknownUsd}`),
});

const accountDays = z
  .object({
    address: z.string(),
    chainId: z.int(),
    days: z.array(day).openapi({ description: "The oldest first, without gaps, up to today." }),
  })
  .openapi("AccountDays");

export type AccountDays = z.input<typeof accountDays>;

const accountDaysRoute = createRoute({
  method: "get",
  path: "/api/account/{address}/days",
  operationId: "getAccountDays",
  tags: ["Accounts"],
  summary: "What an account traded and realised on each of the last days.",
  description: `Days are in UTC; today's is as of the last indexed block. An answer is computed from the account's last ${maxTrades.toLocaleString("en")} trades, so it has fewer days if these don't reach as far back. ${averageCost}`,
  middleware: withEtag(),
  request: {
    params: z.object({
      address: address.openapi({ param: { name: "address", in: "path", description: "The account." } }),
    }),
    query: z.object({
      days: lastDays(maxDays),
      chainId,
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers("The days.", accountDays),
    ...problems({
      ...chainProblems,
      503: "The database is unavailable, or nothing is indexed yet.",
    }),
  },
});

export function createAccountDays({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter().openapi(accountDaysRoute, async (c) => {
    const { address } = c.req.valid("param");
    const { days, chainId } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const { today, first, rows } = await inSnapshot(db, async (tx) => {
      const head = (await readIndexState(tx)).chains.find((each) => each.chainId === chain.id);
      if (head === undefined) throw nothingIndexed(chain.id);
      const today = Math.floor(head.timestamp / daySeconds);
      const first = today - days + 1;
      const query = { chainId: chain.id, account: address, since: first * daySeconds, limit: maxTrades };
      return { today, first, rows: await readAccountDays(tx, query) };
    });
    const trades = rows.reduce((sum, { buys, sells }) => sum + buys + sells, 0);
    // Of the oldest day, some trades may have been left out.
    const complete = trades < maxTrades ? first : (rows.at(-1)?.day ?? first) + 1;
    const byDay = new Map(rows.map((row) => [row.day, row]));
    const body: AccountDays = {
      address,
      chainId: chain.id,
      days: Array.from({ length: Math.max(0, today - complete + 1) }, (_, index) =>
        toDay(complete + index, byDay.get(complete + index)),
      ),
    };
    return c.json(body, 200);
  });
}

function toDay(day: number, row: AccountDayRow | undefined): AccountDays["days"][number] {
  const { volume_usd_x18: volumeUsd = "0", realised_usd_x18: realisedUsd = "0" } = row ?? {};
  return {
    day: isoDay(day * daySeconds),
    buys: row?.buys ?? 0,
    sells: row?.sells ?? 0,
    profitableSells: row?.profitable_sells ?? 0,
    volumeBnb: formatAmount(row?.volume_wei ?? "0"),
    ...(volumeUsd === null ? {} : { volumeUsd: formatAmount(volumeUsd) }),
    realisedBnb: formatAmount(row?.realised_wei ?? "0"),
    ...(realisedUsd === null ? {} : { realisedUsd: formatAmount(realisedUsd) }),
  };
}
