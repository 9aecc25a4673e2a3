import type pg from "pg";
import type { Address } from "viem";
import { inSnapshot } from "../offchain/connection.ts";
import { type FinalChain, readFinalState } from "../runtime/ponder/final-rows.ts";
import { type Check, type CheckedIndex, compareWords, readChecks, type Selection } from "./checks.ts";
import type { CallReader } from "./read-calls.ts";

/** A value of the index that is another one on the chain. */
export type Difference = {
  chainId: number;
  token: Address;
  /** The holder, or the pair. */
  account?: Address;
  /** What differs, such as `balance`. */
  what: string;
  ours: string;
  onChain: string;
  /** The final block at which they differ. */
  block: number;
};

export type Comparison = {
  /** The final block that both sides are of. */
  block: number;
  selection: Selection;
  /** The number of calls whose results were compared. */
  calls: number;
  differences: Difference[];
};

/** There is no complete index to compare. It is complete once `/ready` answers 200. */
export class IndexNotReady extends Error {
  override name = "IndexNotReady";
}

export type CompareOptions = CheckedIndex & {
  pool: pg.Pool;
  reader: CallReader;
  signal?: AbortSignal;
};

/**
 * Compares rows, as they were at the chain's last final block, with what the contracts return at that block. So blocks that are
 * indexed meanwhile make no difference, and neither do reorgs. The block is a recent one each time, since full nodes only have the
 * state of the last 128 blocks.
 *
 * @param select chooses the rows, in the same snapshot
 * @throws IndexNotReady, ChainUnavailable, or the driver's error
 */
export async function compare(
  { pool, reader, signal, ...index }: CompareOptions,
  select: (client: pg.ClientBase, final: FinalChain) => Promise<Selection>,
): Promise<Comparison> {
  const { block, checks, selection } = await inSnapshot(pool, async (client) => {
    const final = await readFinalBlock(client, index);
    const selection = await select(client, final);
    const checks = await readChecks({ client, final }, index, selection);
    return { block: final.block, selection, checks };
  });
  const differences = await compareChecks(checks, { reader, chainId: index.chain.id, block, signal });
  return { block, selection, calls: checks.length, differences };
}

export type CompareChecksOptions = {
  reader: CallReader;
  chainId: number;
  /** The block that the checks are as of. */
  block: number;
  signal?: AbortSignal;
};

/** Compares what the chain must say with what it says. Throws ChainUnavailable. */
export async function compareChecks(
  checks: readonly Check[],
  { reader, chainId, block, signal }: CompareChecksOptions,
): Promise<Difference[]> {
  const calls = checks.map(({ call }) => call);
  const results = await reader.read(calls, { block, signal });
  return checks.flatMap((check, place) => {
    const { token, account } = check;
    return compareWords(check, results[place] ?? "failed").map(
      ({ name, ours, onChain }): Difference => ({
        chainId,
        token,
        account,
        what: name,
        ours,
        onChain,
        block,
      }),
    );
  });
}

/** Reads a chain's last final block. Throws IndexNotReady. */
export async function readFinalBlock(
  client: pg.ClientBase,
  { schema, chain }: CheckedIndex,
): Promise<FinalChain> {
  const state = await readFinalState(client, schema);
  const final = state?.chains.find(({ chainId }) => chainId === chain.id);
  if (state === undefined || final === undefined) {
    throw new IndexNotReady(
      `chain ${chain.id} has no index in the schema ${schema}: start the service, or set DATABASE_SCHEMA to the one that it uses`,
    );
  }
  if (!state.isReady) {
    throw new IndexNotReady(
      "the index is not complete: the indexer is still reading history, or has just been started. Run it again once /ready answers 200",
    );
  }
  return final;
}

/** Returns the rows in which these differences are. */
export function selectionOf(differences: Iterable<Difference>): Selection {
  const selection: Selection = { balances: [], tokens: [] };
  for (const { token, account, what } of differences) {
    if (what === "balance" && account !== undefined) selection.balances.push({ token, account });
    else selection.tokens.push(token);
  }
  return withoutRepeats(selection);
}

/** Returns each row of a selection once. */
export const withoutRepeats = ({ balances, tokens }: Selection): Selection => ({
  balances: [...new Map(balances.map((key) => [`${key.token} ${key.account}`, key])).values()],
  tokens: [...new Set(tokens)],
});

/** A line that says all about a difference. */
export function describe({ chainId, token, account, what, ours, onChain, block }: Difference): string {
  const of = account === undefined ? "" : ` of ${account}`;
  return `chain ${chainId}: token ${token}: ${what}${of} is ${ours} in the index, and ${onChain} on the chain (block ${block})`;
}
