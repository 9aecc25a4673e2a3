import { and, asc, eq, gt, inArray, isNull } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { z } from "zod";
import type { HiddenToken } from "./moderation-store.ts";
import { hiddenRegistration, hiddenToken, registration, registrationHistory } from "./schema.ts";
import type { EarlierRegistration, StoredRegistration } from "./store.ts";

/*
 * A registration as a line of an export (JSON Lines): everything that was registered, by whom and when. Ids, versions and the
 * search text are omitted, since each database has its own. A registration of a hidden token has the field `hidden`, which an
 * importer that doesn't know hidden tokens refuses. A hidden token without a registration is a line with only `chainId`,
 * `mint` and `hidden`.
 */

const address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/, "must be a lower-case address: 0x and 40 hexadecimal digits");
const text = z
  .string()
  .refine(
    (value) => value.isWellFormed() && !value.includes("\0"),
    "must be well-formed Unicode without NUL",
  );
const optionalText = text.nullable();

const token = {
  chainId: z.union([z.literal(56), z.literal(97)], "must be 56 or 97"),
  mint: address,
};
const hidden = z.strictObject({ reason: text.min(1), hiddenAt: z.iso.datetime() });

const earlier = z.strictObject({
  replacedAt: z.iso.datetime(),
  description: optionalText,
  imageUrl: optionalText,
  twitterUrl: optionalText,
  telegramUrl: optionalText,
  websiteUrl: optionalText,
  verified: z.boolean(),
});

const hiddenRecord = z.strictObject({ ...token, hidden });

const record = z
  .strictObject({
    ...token,
    name: text.min(1).max(256),
    symbol: text.min(1).max(64),
    creator: address,
    burnPercent: z.int().min(0).max(100),
    description: optionalText,
    imageUrl: optionalText,
    twitterUrl: optionalText,
    telegramUrl: optionalText,
    websiteUrl: optionalText,
    launchpadAddress: address.nullable(),
    verified: z.boolean(),
    registeredAt: z.iso.datetime(),
    registeredBy: address.nullable(),
    signature: z
      .string()
      .regex(/^0x([0-9a-fA-F]{2})+$/, "must be 0x and hexadecimal digits")
      .nullable(),
    issuedAt: z.int().positive().nullable(),
    hidden: hidden.optional(),
    /** What it said before, the oldest first. */
    earlier: z.array(earlier).optional(),
  })
  .refine(
    ({ verified, signature, issuedAt, registeredBy }) =>
      [signature, issuedAt, registeredBy].every((value) => (value !== null) === verified),
    "verified must be true exactly if signature, issuedAt and registeredBy are given",
  );

export type RegistrationRecord = z.infer<typeof record>;
export type HiddenRecord = z.infer<typeof hiddenRecord>;

/** Formats a registration as a line of an export, without the line break. */
function formatRecord({ hidden, ...row }: ExportedRegistration): string {
  const fields = Object.keys(record.shape).filter((field) => field in row) as (keyof typeof row)[];
  const registered = Object.fromEntries(fields.map((field) => [field, row[field]]));
  return JSON.stringify({ ...registered, hidden: hidden && formatHiding(hidden) });
}

/** Formats a hidden token without a registration as a line of an export. */
function formatHiddenRecord({ chainId, mint, ...hidden }: HiddenToken): string {
  return JSON.stringify({ chainId, mint, hidden: formatHiding(hidden) });
}

const formatHiding = ({ reason, hiddenAt }: Pick<HiddenToken, "reason" | "hiddenAt">) => ({
  reason,
  hiddenAt,
});

/** Parses a line of an export. Throws an Error whose message says what is wrong with it. */
export function parseRecord(line: string): RegistrationRecord | HiddenRecord {
  const value = parseJson(line);
  const isRegistration =
    typeof value !== "object" || value === null || "name" in value || !("hidden" in value);
  const result = (isRegistration ? record : hiddenRecord).safeParse(value);
  if (result.success) return result.data;
  throw new Error(
    result.error.issues
      .map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "))
      .join("; "),
  );
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error("is not JSON");
  }
}

/** A registration, and why its token is hidden, if it is. */
type ExportedRegistration = StoredRegistration & {
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
