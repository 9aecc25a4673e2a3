import { token } from "ponder:schema";
import { and, eq } from "drizzle-orm";
import type { Address } from "viem";
import { type Database, selectRows } from "../../database/database.ts";

/** Reads what a registration of the token has to agree with. Undefined if the token is not indexed (yet). */
export async function readIndexedToken(db: Database, chainId: number, mint: Address) {
  const { name, symbol, creator, burnPercent, launchpad } = token;
  const [row] = await selectRows(db, () =>
    db
      .select({ name, symbol, creator, burnPercent, launchpad })
      .from(token)
      .where(and(eq(token.chainId, chainId), eq(token.address, mint))),
  );
  return row;
}
