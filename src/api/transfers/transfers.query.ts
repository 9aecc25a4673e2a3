import { token, transfer } from "ponder:schema";
import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { type Database, selectRows } from "../database/database.ts";
import type { KeysetPage } from "../http/cursor.ts";
import { isRowHidden } from "../market/hidden-token.query.ts";

/** Selects the transfers of a token, of an account, or of an account in one token. */
export type TransferFilter = {
  chainId: number;
  mint: Address | undefined;
  /** The sender or the receiver. */
  account: Address | undefined;
  from: Address | undefined;
  to: Address | undefined;
  /** Times in seconds. */
  since: number | undefined;
  before: number | undefined;
};

/** With the token's name and symbol, which are empty if the factory never announced it, and whether it is hidden. */
export type TransferRow = typeof transfer.$inferSelect & { name: string; symbol: string; isHidden: boolean };

/** Reads a page of transfers, the newest first. Keyset positions are time and id. */
export async function readTransfers(
  db: Database,
  filter: TransferFilter,
  page: KeysetPage,
): Promise<TransferRow[]> {
  const { account } = filter;
  // Each side has an index in the order of the page. Nothing is in both: a transfer to oneself is none.
  const matches =
    account === undefined
      ? newest(db, filter, page).as("found")
      : unionAll(
          newest(db, filter, page, eq(transfer.from, account)),
          newest(db, filter, page, eq(transfer.to, account)),
        )
          .orderBy(sql`timestamp desc`, sql`id desc`)
          .limit(page.limit)
          .as("found");
  return await selectRows(db, () =>
    db
      .select({
        chainId: matches.chainId,
        id: matches.id,
        token: matches.token,
        from: matches.from,
        to: matches.to,
        amountRaw: matches.amountRaw,
        block: matches.block,
        timestamp: matches.timestamp,
        tx: matches.tx,
        txIndex: matches.txIndex,
        logIndex: matches.logIndex,
        name: sql<string>`coalesce(${token.name}, '')`,
        symbol: sql<string>`coalesce(${token.symbol}, '')`,
        isHidden: sql<boolean>`${isRowHidden(sql`${matches.chainId}`, sql`${matches.token}`)}`,
      })
      .from(matches)
      .leftJoin(token, and(eq(token.chainId, matches.chainId), eq(token.address, matches.token)))
      .orderBy(desc(matches.timestamp), desc(matches.id)),
  );
}

function newest(db: Database, filter: TransferFilter, { after, limit }: KeysetPage, side?: SQL) {
  const { chainId, id, timestamp, token: ofToken, from, to } = transfer;
  const { mint, since, before } = filter;
  return db
    .select()
    .from(transfer)
    .where(
      and(
        eq(chainId, filter.chainId),
        side,
        mint === undefined ? undefined : eq(ofToken, mint),
        filter.from === undefined ? undefined : eq(from, filter.from),
        filter.to === undefined ? undefined : eq(to, filter.to),
        since === undefined ? undefined : gte(timestamp, BigInt(since)),
        before === undefined ? undefined : lt(timestamp, BigInt(before)),
        after && sql`(${timestamp}, ${id}) < (${after.first}::int8, ${after.second})`,
      ),
    )
    .orderBy(desc(timestamp), desc(id))
    .limit(limit);
}
