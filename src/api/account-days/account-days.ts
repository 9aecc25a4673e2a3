import type { Chains } from "../chain/chains.ts";
import { nothingIndexed } from "../chain/not-found.ts";
import { inSnapshot, type PooledDatabase } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { formatAmount } from "../market/price.ts";
import { daySeconds, isoDay } from "../market/time.ts";
import { readIndexState } from "../ponder/index-state.query.ts";
import { type AccountDayRow, readAccountDays } from "./account-days.query.ts";
import { type AccountDays, accountDaysRoute, maxTrades } from "./account-days.routes.ts";

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
