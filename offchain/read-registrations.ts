import { and, asc, eq, gt, isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { HiddenToken } from "./moderation-store.ts";
import { hiddenRegistration, hiddenToken, registration } from "./schema.ts";
import type { StoredRegistration } from "./store.ts";

/** A registration, and why its token is hidden, if it is. */
export type ExportedRegistration = StoredRegistration & { hidden?: HiddenToken };

const pageSize = 1_000;

/**
 * Reads every registration in the order in which they were first written, then those of hidden tokens. Within a snapshot,
 * none is missed or repeated.
 */
export async function* readRegistrations(client: pg.PoolClient): AsyncGenerator<ExportedRegistration> {
  const database = drizzle(client, { casing: "snake_case" });
  yield* readPages((last) =>
    database
      .select()
      .from(registration)
      .where(gt(registration.id, last))
      .orderBy(asc(registration.id))
      .limit(pageSize),
  );
  yield* readPages(async (last) => {
    const rows = await database
      .select()
      .from(hiddenRegistration)
      .innerJoin(hiddenToken, sameToken)
      .where(gt(hiddenRegistration.id, last))
      .orderBy(asc(hiddenRegistration.id))
      .limit(pageSize);
    return rows.map(({ hidden_registration, hidden_token }) => ({
      ...hidden_registration,
      hidden: hidden_token,
    }));
  });
}

/** Reads the hidden tokens that nobody has registered. */
export async function readUnregisteredHidden(client: pg.PoolClient): Promise<HiddenToken[]> {
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
