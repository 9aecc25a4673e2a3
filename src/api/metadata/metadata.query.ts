import { token } from "ponder:schema";
import { and, eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { registration } from "../../../offchain/schema.ts";
import { type Database, selectRows } from "../database/database.ts";
import { isRegisteredToken } from "../market/hidden-token.query.ts";

const t = alias(token, "t");
const r = alias(registration, "r");

export type MetadataRow = NonNullable<Awaited<ReturnType<typeof readMetadata>>>;

/** Reads a token and its registration, if there is one. */
export async function readMetadata(db: Database, chainId: number, mint: Address) {
  const [row] = await selectRows(db, () =>
    db
      .select({ token: t, registration: r })
      .from(t)
      .leftJoin(r, isRegisteredToken)
      .where(and(eq(t.chainId, chainId), eq(t.address, mint))),
  );
  return row;
}
