import { tokenSymbol } from "ponder:schema";
import { and, eq } from "drizzle-orm";
import { symbolHash } from "../../../curve/symbol-hash.ts";
import { type Database, selectRows } from "../../database/database.ts";

/** Counts the tokens of the chain with the symbol. */
export async function countTokensWithSymbol(db: Database, chainId: number, symbol: string): Promise<number> {
  const [row] = await selectRows(db, () =>
    db
      .select({ tokens: tokenSymbol.tokens })
      .from(tokenSymbol)
      .where(and(eq(tokenSymbol.chainId, chainId), eq(tokenSymbol.symbolHash, symbolHash(symbol)))),
  );
  return row?.tokens ?? 0;
}
