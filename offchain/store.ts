import { and, asc, eq, gt, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { holdMentionedImages } from "./image-store.ts";
import { registration, registry } from "./schema.ts";
import { searchText } from "./search.ts";

type Row = typeof registration.$inferSelect;

/** Which token a registration is about. */
export type RegisteredToken = Pick<Row, "chainId" | "mint" | "name" | "symbol" | "creator" | "burnPercent">;

/** What was registered about the token. */
export type RegistrationContent = Pick<
  Row,
  "description" | "imageUrl" | "twitterUrl" | "telegramUrl" | "websiteUrl" | "launchpadAddress"
>;

/** Who registered it, and when. */
type RegistrationProof = Pick<Row, "verified" | "registeredBy" | "signature" | "issuedAt">;

export type StoredRegistration = Omit<Row, "version" | "search">;

/** Returns what to write instead of the stored row (undefined if there is none), or undefined to leave it. */
export type Decide = (
  existing: StoredRegistration | undefined,
) => (RegistrationContent & RegistrationProof & { registeredAt?: Date }) | undefined;

export type Write = { token: RegisteredToken; decide: Decide };

export type RegistrationStore = ReturnType<typeof createRegistrationStore>;

const pageSize = 1_000;

/** Reads and writes registrations. Every method throws the driver's error when the database fails. */
export function createRegistrationStore(pool: pg.Pool) {
  const database = drizzle(pool, { casing: "snake_case" });

  function find(token: RegisteredToken, from: Pick<typeof database, "select"> = database) {
    return from
      .select()
      .from(registration)
      .where(isToken(token))
      .then(([row]): StoredRegistration | undefined => row);
  }

  /**
   * Writes what each `decide` returns, atomically, and resolves once it is on disk. Writers take turns, so `decide` may get a
   * row that has changed since the caller last read it.
   */
  async function writeAll(writes: Write[]): Promise<StoredRegistration[]> {
    const client = await pool.connect();
    try {
      return await drizzle(client, { casing: "snake_case" }).transaction((tx) => writeIn(tx, client, writes));
    } finally {
      client.release();
    }
  }

  async function writeIn(
    tx: Transaction,
    client: pg.PoolClient,
    writes: Write[],
  ): Promise<StoredRegistration[]> {
    // Overrides the server's default: a registration that was answered with 201 must survive a crash.
    await tx.execute(sql`set local synchronous_commit = on`);
    const [next] = await tx
      .update(registry)
      .set({ version: sql`${registry.version} + 1` })
      .returning({ version: registry.version });
    const version = next?.version ?? 0;
    const written: StoredRegistration[] = [];
    for (const { token, decide } of writes) {
      const existing = await find(token, tx);
      const content = decide(existing);
      // Keeps its image from being dropped before the registration is written.
      if (content?.imageUrl) await holdMentionedImages(client, content.imageUrl);
      written.push(
        content === undefined ? kept(existing) : await put(tx, token, existing, { ...content, version }),
      );
    }
    return written;
  }

  return {
    find: (token: RegisteredToken) => find(token),

    /** Writes what `decide` returns, and resolves once it is on disk. */
    async write(token: RegisteredToken, decide: Decide): Promise<StoredRegistration> {
      const [row] = await writeAll([{ token, decide }]);
      return row as StoredRegistration;
    },

    writeAll,

    /** Every registration, in the order in which they were first written. */
    async *all(): AsyncGenerator<StoredRegistration> {
      let last = 0;
      for (;;) {
        const rows = await database
          .select()
          .from(registration)
          .where(gt(registration.id, last))
          .orderBy(asc(registration.id))
          .limit(pageSize);
        yield* rows;
        const end = rows.at(-1);
        if (end === undefined) return;
        last = end.id;
      }
    },
  };
}

type Transaction = Pick<NodePgDatabase, "execute" | "select" | "insert" | "update">;

type Content = RegistrationContent & RegistrationProof & { registeredAt?: Date; version: number };

async function put(
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
      : await tx.update(registration).set(values).where(isToken(token)).returning();
  return kept(row);
}

function kept(row: StoredRegistration | undefined): StoredRegistration {
  if (row === undefined) throw new Error("Invariant(registration): nothing there, and nothing to write");
  return row;
}

function isToken({ chainId, mint, name, symbol, creator, burnPercent }: RegisteredToken) {
  return and(
    eq(registration.chainId, chainId),
    eq(registration.mint, mint),
    eq(registration.creator, creator),
    eq(registration.name, name),
    eq(registration.symbol, symbol),
    eq(registration.burnPercent, burnPercent),
  );
}
