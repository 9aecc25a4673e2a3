import { and, desc, eq, gt, lte, min, type SQL, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { onPooledConnection } from "./connection.ts";
import { lockMentionedImages } from "./image-store.ts";
import { type HiddenToken, type Hiding, hideInTransaction } from "./moderation-store.ts";
import { hiddenRegistration, hiddenToken, registration, registrationHistory, registry } from "./schema.ts";
import { searchText } from "./search.ts";

export type Transaction = Pick<NodePgDatabase, "execute" | "select" | "insert" | "update" | "delete">;

/**
 * Begins a write to registrations or hidden tokens, and returns its version. From here to the end of the transaction, other
 * writers wait. Once committed, the transaction survives a crash.
 */
export async function nextVersion(tx: Transaction): Promise<number> {
  // Overrides the server's setting: a registration must be on disk before it is confirmed with 201.
  await tx.execute(sql`set local synchronous_commit = on`);
  const [next] = await tx
    .update(registry)
    .set({ version: sql`${registry.version} + 1` })
    .returning({ version: registry.version });
  return next?.version ?? 0;
}

/** Whatever the role's default: what a writer decides on is what the one before it has committed. */
export const inTurn = { isolationLevel: "read committed" } as const;

type Row = typeof registration.$inferSelect;

/** The token that a registration is about. */
export type RegisteredToken = Pick<Row, "chainId" | "mint" | "name" | "symbol" | "creator" | "burnPercent">;

/** What was registered about the token. */
type RegistrationContent = Pick<
  Row,
  "description" | "imageUrl" | "twitterUrl" | "telegramUrl" | "websiteUrl" | "launchpadAddress"
>;

/** Who registered it, and when. */
type RegistrationProof = Pick<Row, "verified" | "registeredBy" | "signature" | "issuedAt">;

export type StoredRegistration = Omit<Row, "version" | "search">;

/** What a registration said until then. */
export type EarlierRegistration = Omit<typeof registrationHistory.$inferSelect, "registrationId">;

/**
 * Returns what to write in place of the stored row (`existing`, undefined if there is none), or undefined to leave it. A
 * stored row of a hidden token must not be replaced.
 */
export type Decide = (
  existing: StoredRegistration | undefined,
  hidden: HiddenToken | undefined,
) => (RegistrationContent & RegistrationProof & { registeredAt?: Date }) | undefined;

/**
 * The others are called after `decide`: `earlier` returns what the registration said before, to be kept too, `firstAt` when the token was
 * first registered elsewhere, which counts if that is earlier, and `hide` how to hide the token in the same transaction, or undefined.
 */
export type Write = {
  token: RegisteredToken;
  decide: Decide;
  earlier?: () => EarlierRegistration[];
  firstAt?: () => Date | undefined;
  hide?: () => Hiding | undefined;
};

export type RegistrationStore = ReturnType<typeof createRegistrationStore>;

/** Reads and writes registrations. Every method throws the driver's error when the database fails. */
export function createRegistrationStore(pool: pg.Pool) {
  const database = drizzle(pool, { casing: "snake_case" });

  /**
   * Writes what each `decide` returns, atomically, and resolves once it is on disk. Writers take turns, so `decide` may get a
   * row that has changed since the caller last read it.
   */
  async function writeAll(writes: Write[]): Promise<(StoredRegistration | undefined)[]> {
    // Closed if it fails: a transaction that could not be ended would be committed along with the next one.
    return await onPooledConnection(pool, (client) =>
      drizzle(client, { casing: "snake_case" }).transaction(
        async (tx) => writeRegistrations(client, await nextVersion(tx), writes),
        inTurn,
      ),
    );
  }

  return {
    find: (token: RegisteredToken) => find(database, token),

    /** Writes what `decide` returns, and resolves once it is on disk. */
    async write(token: RegisteredToken, decide: Decide): Promise<StoredRegistration> {
      const [row] = await writeAll([{ token, decide }]);
      return requireRow(row);
    },

    writeAll,
  };
}

/**
 * Writes what each `decide` returns, within a transaction on this connection that has a {@link nextVersion}. Resolves to the
 * rows stored afterwards.
 */
export async function writeRegistrations(
  client: pg.PoolClient,
  version: number,
  writes: Write[],
): Promise<(StoredRegistration | undefined)[]> {
  const tx = drizzle(client, { casing: "snake_case" });
  const written: (StoredRegistration | undefined)[] = [];
  for (const { token, decide, earlier, firstAt, hide } of writes) {
    const hidden = await findHidden(tx, token);
    const existing = hidden?.registration ?? (await find(tx, token));
    const content = decide(existing, hidden?.token);
    // Keeps the image from being dropped before the registration is written.
    if (content?.imageUrl) await lockMentionedImages(client, content.imageUrl);
    const row = content === undefined ? existing : await upsert(tx, token, existing, { ...content, version });
    if (row !== undefined) {
      await keepEarlier(tx, row.id, earlier?.() ?? []);
      if (existing !== undefined && !sameContent(existing, row))
        await keepEarlier(tx, row.id, [replaced(existing)]);
      const registeredAt = firstAt?.();
      if (registeredAt !== undefined && registeredAt < row.registeredAt) {
        const table = hidden?.registration ? hiddenRegistration : registration;
        await tx.update(table).set({ registeredAt, version }).where(isToken(table, token));
        row.registeredAt = registeredAt;
      }
    }
    written.push(row);
    const hiding = hide?.();
    if (hiding !== undefined) await hideInTransaction(tx, token, { ...hiding, version });
  }
  return written;
}

async function find(
  from: Pick<Transaction, "select">,
  token: RegisteredToken,
): Promise<StoredRegistration | undefined> {
  const [row] = await from.select().from(registration).where(isToken(registration, token));
  return row;
}

/** Finds the token's entry if it is hidden, with this registration of it if there is one. */
async function findHidden(tx: Transaction, token: RegisteredToken) {
  const [hidden] = await tx
    .select({ token: hiddenToken, registration: hiddenRegistration })
    .from(hiddenToken)
    .leftJoin(hiddenRegistration, isToken(hiddenRegistration, token))
    .where(and(eq(hiddenToken.chainId, token.chainId), eq(hiddenToken.mint, token.mint)));
  return hidden;
}

/** How many earlier contents of a registration are kept: the first one, and the latest. */
export const maxEarlier = 100;

/** An earlier content, whose `replacedAt` Postgres may compute. */
type Earlier = Omit<EarlierRegistration, "replacedAt"> & { replacedAt: Date | SQL };

/** The time is after those of all earlier contents, also if the clock has been set back. */
const replaced = ({
  id,
  description,
  imageUrl,
  twitterUrl,
  telegramUrl,
  websiteUrl,
  verified,
}: StoredRegistration): Earlier => ({
  replacedAt: sql`greatest(date_trunc('milliseconds', clock_timestamp()), (
    select max(replaced_at) + interval '1 millisecond' from ${registrationHistory} where registration_id = ${id}))`,
  description,
  imageUrl,
  twitterUrl,
  telegramUrl,
  websiteUrl,
  verified,
});

async function keepEarlier(tx: Transaction, registrationId: number, earlier: Earlier[]) {
  if (earlier.length === 0) return;
  const { registrationId: id, replacedAt } = registrationHistory;
  await tx
    .insert(registrationHistory)
    .values(earlier.map((row) => ({ ...row, registrationId })))
    .onConflictDoNothing();
  const surplus = tx
    .select({ replacedAt })
    .from(registrationHistory)
    .where(eq(id, registrationId))
    .orderBy(desc(replacedAt))
    .offset(maxEarlier - 1)
    .limit(1);
  const first = tx
    .select({ replacedAt: min(replacedAt) })
    .from(registrationHistory)
    .where(eq(id, registrationId));
  // The first one stays, so that nobody hides how a token began by changing it often.
  await tx
    .delete(registrationHistory)
    .where(and(eq(id, registrationId), lte(replacedAt, sql`${surplus}`), gt(replacedAt, sql`${first}`)));
}

type Content = RegistrationContent & RegistrationProof & { registeredAt?: Date; version: number };

async function upsert(
  tx: Transaction,
  token: RegisteredToken,
  existing: StoredRegistration | undefined,
  content: Content,
): Promise<StoredRegistration> {
  const values = { ...content, search: searchText({ ...token, ...content }) };
  const [row] =
    existing === undefined
      ? await tx
          .insert(registration)
          .values({ ...token, ...values })
          .returning()
      : await tx.update(registration).set(values).where(isToken(registration, token)).returning();
  return requireRow(row);
}

function requireRow(row: StoredRegistration | undefined): StoredRegistration {
  if (row === undefined) throw new Error("Invariant(registration): nothing stored and nothing to write");
  return row;
}

function isToken(
  table: typeof registration | typeof hiddenRegistration,
  { chainId, mint, name, symbol, creator, burnPercent }: RegisteredToken,
) {
  return and(
    eq(table.chainId, chainId),
    eq(table.mint, mint),
    eq(table.creator, creator),
    eq(table.name, name),
    eq(table.symbol, symbol),
    eq(table.burnPercent, burnPercent),
  );
}

/** The content of a registration. `issuedAt`, in seconds, if its creator signed it. */
type RequestedRegistration = RegistrationContent & { issuedAt: number | null };

/** `unchanged`: it is stored already. `write`: it is new or replaces the stored one. The others are refusals. */
export type Decision = "unchanged" | "write" | "already_registered" | "signature_not_newer";

/**
 * Decides between a registration and the stored one. Only a signed registration replaces another, and a signed one is only
 * replaced by one that was signed later.
 */
export function decide(existing: StoredRegistration | undefined, requested: RequestedRegistration): Decision {
  if (existing === undefined) return "write";
  const isSame = sameContent(existing, requested);
  if (requested.issuedAt === null) return isSame ? "unchanged" : "already_registered";
  if (existing.issuedAt === null || requested.issuedAt > existing.issuedAt) return "write";
  return isSame ? "unchanged" : "signature_not_newer";
}

function sameContent(left: RegistrationContent, right: RegistrationContent): boolean {
  return (
    // Earlier versions stored an empty description as it was sent.
    (left.description || null) === (right.description || null) &&
    left.imageUrl === right.imageUrl &&
    left.twitterUrl === right.twitterUrl &&
    left.telegramUrl === right.telegramUrl &&
    left.websiteUrl === right.websiteUrl
  );
}
