import { tokenSymbol } from "ponder:schema";
import { symbolHash } from "../curve/symbol-hash.ts";
import type { EntityContext } from "./context.ts";
import { stripNul } from "./text.ts";

/** Counts a new token by its symbol. */
export async function countSymbol({ db, chain }: EntityContext, symbol: string): Promise<void> {
  await db
    .insert(tokenSymbol)
    .values({ chainId: chain.id, symbolHash: symbolHash(stripNul(symbol)), tokens: 1 })
    .onConflictDoUpdate(({ tokens }) => ({ tokens: tokens + 1 }));
}
