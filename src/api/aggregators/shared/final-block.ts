import { nothingIndexed } from "../../chain/not-found.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { ProblemException } from "../../http/problem.ts";
import { type FinalBlock, readFinalBlock } from "./final-rows.query.ts";

/** The last block that aggregators get data of. Throws a 503 problem until something is indexed. */
export async function getFinalBlock(db: PooledDatabase, chainId: number): Promise<FinalBlock> {
  const final = await readFinalBlock(db, chainId);
  if (final !== undefined) return final;
  throw nothingIndexed(chainId);
}

/** For a mint that no final block has. */
export function unknownFinalToken(mint: string, chainId: number): ProblemException {
  return new ProblemException({
    status: 404,
    code: "token_not_found",
    detail: `No final block of chain ${chainId} has a token ${mint}. A new one is here as soon as its block is final.`,
  });
}
