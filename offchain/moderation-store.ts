import { and, asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { hiddenRegistration, hiddenToken, registration, registry } from "./schema.ts";
import { inTurn, nextVersion, type Transaction } from "./store.ts";

/** Identifies a token. The mint is lower-case hex. */
export type TokenKey = { chainId: number; mint: string };

/** A token that the operator has hidden, and why. */
export type HiddenToken = typeof hiddenToken.$inferSelect;

/** Why a token is hidden, and since when; now by default. */
export type Hiding = { reason: string; hiddenAt?: Date };

/** The outcome of hiding a token, and how many of its registrations were set aside. */
export type HideResult = { outcome: "hidden" | "reason_changed" | "unchanged"; registrations: number };

export type ModerationStore = ReturnType<typeof createModerationStore>;

/** Hides tokens and shows them again. Every method throws the driver's error when the database fails. */
export function createModerationStore(pool: pg.Pool) {
  const database = drizzle(pool, { casing: "snake_case" });

  return {
    /** Hides a token, registered or not, or changes the reason. */
    hide: (token: TokenKey, hiding: Hiding): Promise<HideResult> =>
      database.transaction(
        async (tx) => hideInTransaction(tx, token, { ...hiding, version: await nextVersion(tx) }),
        inTurn,
      ),

    /** Shows a token again. Resolves to the number of its registrations, or to undefined if it was not hidden. */
    unhide: (token: TokenKey): Promise<number | undefined> =>
      database.transaction(async (tx) => {
        const version = await nextVersion(tx);
        const shown = await tx.delete(hiddenToken).where(matchesToken(hiddenToken, token)).returning();
        if (shown.length === 0) return undefined;
        const rows = await tx
          .select()
          .from(hiddenRegistration)
          .where(matchesToken(hiddenRegistration, token));
        if (rows.length > 0) {
          await tx.update(registry).set({ moderatedVersion: version });
          // Inserted before the hidden ones are deleted, so that their images stay mentioned.
          await tx
            .insert(registration)
            .overridingSystemValue()
            .values(rows.map((row) => ({ ...row, version })));
          await tx.delete(hiddenRegistration).where(matchesToken(hiddenRegistration, token));
        }
        return rows.length;
      }, inTurn),

    /** Reads every hidden token, in the order in which they were hidden. */
    all: (): Promise<HiddenToken[]> =>
      database
        .select()
        .from(hiddenToken)
        .orderBy(asc(hiddenToken.hiddenAt), asc(hiddenToken.chainId), asc(hiddenToken.mint)),
  };
}

/** Hides a token within a transaction that has a {@link nextVersion}. */
export async function hideInTransaction(
  tx: Transaction,
  token: TokenKey,
  { reason, hiddenAt, version }: Hiding & { version: number },
): Promise<HideResult> {
  const [existing] = await tx.select().from(hiddenToken).where(matchesToken(hiddenToken, token));
  await tx
    .insert(hiddenToken)
    .values({ ...token, reason, hiddenAt })
    .onConflictDoUpdate({ target: [hiddenToken.chainId, hiddenToken.mint], set: { reason } });
  const rows = await tx.select().from(registration).where(matchesToken(registration, token));
  if (rows.length > 0) {
    await tx.update(registry).set({ moderatedVersion: version });
    await tx.insert(hiddenRegistration).values(rows.map((row) => ({ ...row, version })));
    await tx.delete(registration).where(matchesToken(registration, token));
  }
  const isUnchanged = existing?.reason === reason;
  const outcome = existing === undefined ? "hidden" : isUnchanged ? "unchanged" : "reason_changed";
  return { outcome, registrations: rows.length };
}

function matchesToken(
  table: typeof hiddenToken | typeof hiddenRegistration | typeof registration,
  token: TokenKey,
) {
  return and(eq(table.chainId, token.chainId), eq(table.mint, token.mint));
}
