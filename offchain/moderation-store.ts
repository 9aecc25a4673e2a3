import { and, asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { nextVersion, type Transaction } from "./registry-version.ts";
import { hiddenRegistration, hiddenToken, registration, registry } from "./schema.ts";

/** Which token. The mint is lower-case hex. */
export type TokenKey = { chainId: number; mint: string };

/** A token that the operator has hidden, and why. */
export type HiddenToken = typeof hiddenToken.$inferSelect;

/** Why a token is to be hidden, and since when; now where nothing is said. */
export type Hiding = { reason: string; hiddenAt?: Date };

/** What has been done: nothing, or hidden with so many registrations. */
export type HideResult = { outcome: "hidden" | "reason_changed" | "unchanged"; registrations: number };

export type ModerationStore = ReturnType<typeof createModerationStore>;

/** Hides tokens and shows them again. Every method throws the driver's error when the database fails. */
export function createModerationStore(pool: pg.Pool) {
  const database = drizzle(pool, { casing: "snake_case" });

  return {
    /** Hides a token, registered or not, or changes the reason. */
    hide: (token: TokenKey, hiding: Hiding): Promise<HideResult> =>
      database.transaction(async (tx) => hideIn(tx, token, { ...hiding, version: await nextVersion(tx) })),

    /** Shows a token again. Resolves to the number of its registrations, or to undefined if it was not hidden. */
    unhide: (token: TokenKey): Promise<number | undefined> =>
      database.transaction(async (tx) => {
        const version = await nextVersion(tx);
        const shown = await tx.delete(hiddenToken).where(is(hiddenToken, token)).returning();
        if (shown.length === 0) return undefined;
        const rows = await tx.select().from(hiddenRegistration).where(is(hiddenRegistration, token));
        if (rows.length > 0) {
          await tx.update(registry).set({ moderatedVersion: version });
          // Before the others are deleted, so that their images are mentioned all the time.
          await tx
            .insert(registration)
            .overridingSystemValue()
            .values(rows.map((row) => ({ ...row, version })));
          await tx.delete(hiddenRegistration).where(is(hiddenRegistration, token));
        }
        return rows.length;
      }),

    /** Every hidden token, in the order in which they were hidden. */
    all: (): Promise<HiddenToken[]> =>
      database
        .select()
        .from(hiddenToken)
        .orderBy(asc(hiddenToken.hiddenAt), asc(hiddenToken.chainId), asc(hiddenToken.mint)),
  };
}

/** Hides a token within a transaction that has a version. */
export async function hideIn(
  tx: Transaction,
  token: TokenKey,
  { reason, hiddenAt, version }: Hiding & { version: number },
): Promise<HideResult> {
  const [before] = await tx.select().from(hiddenToken).where(is(hiddenToken, token));
  await tx
    .insert(hiddenToken)
    .values({ ...token, reason, hiddenAt })
    .onConflictDoUpdate({ target: [hiddenToken.chainId, hiddenToken.mint], set: { reason } });
  const rows = await tx.select().from(registration).where(is(registration, token));
  if (rows.length > 0) {
    await tx.update(registry).set({ moderatedVersion: version });
    await tx.insert(hiddenRegistration).values(rows.map((row) => ({ ...row, version })));
    await tx.delete(registration).where(is(registration, token));
  }
  const isUnchanged = before?.reason === reason;
  const outcome = before === undefined ? "hidden" : isUnchanged ? "unchanged" : "reason_changed";
  return { outcome, registrations: rows.length };
}

function is(table: typeof hiddenToken | typeof hiddenRegistration | typeof registration, token: TokenKey) {
  return and(eq(table.chainId, token.chainId), eq(table.mint, token.mint));
}
