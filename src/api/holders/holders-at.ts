import type { Address } from "viem";
import { nothingIndexed, unknownToken } from "../chain/not-found.ts";
import { type Database, inSnapshot, type PooledDatabase } from "../database/database.ts";
import { ProblemException } from "../http/problem.ts";
import { isoTime } from "../market/time.ts";
import { type IndexedChain, readIndexState } from "../ponder/index-state.query.ts";
import type { HoldersQuery } from "./holders.query.ts";
import { type BlockOrTime, findLastMovement, readBalancesAt, readHeldToken } from "./past-balances.query.ts";

type HoldersAtQuery = HoldersQuery & { at: BlockOrTime | undefined };

/** Reads a page of those who held a token at a block or a time, by default at the last indexed block. */
export async function readHoldersAt(db: PooledDatabase, { at, ...page }: HoldersAtQuery) {
  return await inSnapshot(db, async (tx) => {
    const { held, head } = await readHeldTokenAndHead(tx, page);
    if (at !== undefined) assertIndexed(at, head);
    const asOf = await findLastMovement(tx, { ...page, at: at ?? head });
    if (asOf === undefined)
      return { held, asOf: null, holderCount: 0, totalSupplyRaw: 0n, ahead: 0, rows: [] };
    const balances = await readBalancesAt(tx, { ...page, held, at: asOf, now: head.timestamp });
    return { held, asOf, ...balances };
  });
}

/** Reads a token, and how far its chain is indexed. */
export async function readHeldTokenAndHead(tx: Database, ofToken: { chainId: number; mint: Address }) {
  const { chainId, mint } = ofToken;
  const held = await readHeldToken(tx, ofToken);
  if (held === undefined) throw unknownToken(mint, chainId);
  const head = (await readIndexState(tx)).chains.find((chain) => chain.chainId === chainId);
  if (head === undefined) throw nothingIndexed(chainId);
  return { held, head };
}

function assertIndexed(at: BlockOrTime, { chainId, block, timestamp }: IndexedChain): void {
  if ("block" in at ? at.block <= block : at.time <= timestamp) return;
  const [wanted, indexed, advice] =
    "block" in at
      ? [`Block ${at.block}`, `block ${block}`, " A time has the form 2026-01-31T12:00:00Z."]
      : [isoTime(at.time), `block ${block} of ${isoTime(timestamp)}`, ""];
  throw new ProblemException({
    status: 404,
    code: "block_not_indexed",
    detail: `${wanted} (at) is after the last indexed block of chain ${chainId}, ${indexed}. With minBlock, a request waits for a block.${advice}`,
  });
}
