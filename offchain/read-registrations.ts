import { and, asc, eq, gt, inArray, isNull } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { HiddenToken } from "./moderation-store.ts";
import { formatHiddenRecord, formatRecord } from "./record.ts";
import { hiddenRegistration, hiddenToken, registration, registrationHistory } from "./schema.ts";
import type { EarlierRegistration, StoredRegistration } from "./store.ts";

/** A registration, and why its token is hidden, if it is. */
export type ExportedRegistration = StoredRegistration & {
  hidden?: HiddenToken;
  /** What it said before, the oldest first. */
  earlier?: EarlierRegistration[];
};

const pageSize = 1_000;

/** The lines of an export: every registration and every hidden token in a snapshot. */
export async function* exportLines(snapshot: pg.PoolClient): AsyncGenerator<string> {
  for await (const row of readRegistrations(snapshot)) yield `${formatRecord(row)}\n`;
  for (const hidden of await readUnregisteredHidden(snapshot)) yield `${formatHiddenRecord(hidden)}\n`;
}

/**
 * Reads every registration in the order in which they were first written, then those of hidden tokens. Within a snapshot,
 * none is missed or repeated.
 */
export async function* readRegistrations(client: pg.PoolClient): AsyncGenerator<ExportedRegistration> {
  const database = drizzle(client, { casing: "snake_case" });
  yield* readPages(async (last) =>
    withEarlier(
      database,
      await database
        .select()
        .from(registration)
        .where(gt(registration.id, last))
        .orderBy(asc(registration.id))
        .limit(pageSize),
    ),
  );
  yield* readPages(async (last) => {
    const rows = await database
      .select()
      .from(hiddenRegistration)
      .innerJoin(hiddenToken, sameToken)
      .where(gt(hiddenRegistration.id, last))
      .orderBy(asc(hiddenRegistration.id))
      .limit(pageSize);
    return withEarlier(
      database,
      rows.map(({ hidden_registration, hidden_token }) => ({
        ...hidden_registration,
        hidden: hidden_token,
      })),
    );
  });
}

/** Adds to registrations what they said before. */
async function withEarlier<Row extends { id: number }>(
  database: NodePgDatabase,
  rows: Row[],
): Promise<(Row & { earlier?: EarlierRegistration[] })[]> {
  const { registrationId, replacedAt } = registrationHistory;
  const versions = await database
    .select()
    .from(registrationHistory)
    .where(
      inArray(
        registrationId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(registrationId), asc(replacedAt));
  const byId = Map.groupBy(versions, (row) => row.registrationId);
  return rows.map((row) => {
    const earlier = byId.get(row.id)?.map(({ registrationId: _, ...content }) => content);
    return earlier === undefined ? row : { ...row, earlier };
  });
}

/** Reads the hidden tokens that nobody has registered. */
async function readUnregisteredHidden(client: pg.PoolClient): Promise<HiddenToken[]> {
  const rows = await drizzle(client, { casing: "snake_case" })
    .select({ hidden: hiddenToken })
    .from(hiddenToken)
    .leftJoin(hiddenRegistration, sameToken)
    .where(isNull(hiddenRegistration.id))
    .orderBy(asc(hiddenToken.chainId), asc(hiddenToken.mint));
  return rows.map(({ hidden }) => hidden);
}

const sameToken = and(
  eq(hiddenToken.chainId, hiddenRegistration.chainId),
  eq(hiddenToken.mint, hiddenRegistration.mint),
);

/** Yields rows in the order of their ids, reading page by page. */
async function* readPages<Row extends { id: number }>(
  read: (last: number) => PromiseLike<Row[]>,
): AsyncGenerator<Row> {
  for (let last = 0; ; ) {
    const rows = await read(last);
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}
