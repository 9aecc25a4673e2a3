import type pg from "pg";
import { type FinalChain, readChangedKeys } from "../runtime/ponder/final-rows.ts";
import type { Selection } from "./checks.ts";
import {
  type CompareOptions,
  compare,
  type Difference,
  describe,
  IndexNotReady,
  selectionOf,
  withoutRepeats,
} from "./compare.ts";
import { ChainUnavailable } from "./read-calls.ts";
import { describeRepeated, requestTokenRepairs } from "./repair-tokens.ts";
import { type BalanceKey, drawBalances, drawTokens, selectTraders } from "./select.ts";

/** Balances and tokens in one run, which are about 60 calls: a token has four or five. */
const runSize = { balances: 48, tokens: 3 };
/** Rows of a token that are summed in each run; more would be work for the database. */
const maxSummed = 5_000;
/** Confirmed differences that are remembered, and thus compared in each run until they are gone. */
const maxListed = 20;
/** Lines in the log for one run. */
const maxLines = 10;

export type SelfCheck = ReturnType<typeof createSelfCheck>;

export type SelfCheckOptions = Omit<CompareOptions, "maxSummed"> & { log: (line: string) => void };

/** What the comparisons of a chain have found so far. */
export type SelfCheckResults = {
  /** The final block of the last comparison, and when that was (milliseconds since 1970). Undefined before the first. */
  last: { block: number; at: number; calls: number } | undefined;
  /** Why the last run compared nothing; undefined if it did. */
  problem: string | undefined;
  /** The number of results compared, and of differences confirmed, since the start. */
  compared: number;
  confirmed: number;
  /** The confirmed differences that were still there in the last comparison, up to 20. */
  differences: Difference[];
};

/**
 * Compares a few rows of a chain's index with the contracts in each run: holders that have changed lately, and others at
 * random. What differs is compared again in the next run, by another endpoint if there are several, and only counts if it differs
 * there, at a later final block, too. Then the repair of its token is requested.
 */
export function createSelfCheck({ log, ...options }: SelfCheckOptions) {
  const { schema, chain, reader, pool } = options;
  const results: SelfCheckResults = {
    last: undefined,
    problem: undefined,
    compared: 0,
    confirmed: 0,
    differences: [],
  };
  let listed = new Map<string, Difference>();
  let suspects = new Map<string, Difference>();
  /** Tokens that differ after their repair, each of which is logged once. */
  const repeated = new Set<string>();
  /** Holders that changed after the last run's final block, and are final by the next. */
  let changed: BalanceKey[] = [];

  async function select(client: pg.ClientBase, final: FinalChain): Promise<Selection> {
    const from = { client, schema, chainId: chain.id };
    const again = selectionOf([...suspects.values(), ...listed.values()]);
    const left = Math.max(0, runSize.balances - again.balances.length);
    const half = Math.ceil(left / 2);
    const traders = await selectTraders(from, final.block, half);
    const lately = withoutRepeats({ balances: [...changed, ...traders], tokens: [] }).balances.slice(0, half);
    const key = ["token", "account"];
    changed = await readChangedKeys(client, { schema, table: "holder", chain: final, key }, half);

    const drawn = await drawBalances(from, await drawTokens(from, left - lately.length));
    const tokens = [
      ...lately.slice(0, 1).map(({ token }) => token),
      ...(await drawTokens(from, runSize.tokens)),
    ];
    return withoutRepeats({
      balances: [...again.balances, ...lately, ...drawn],
      tokens: [...again.tokens, ...tokens.slice(0, Math.max(0, runSize.tokens - again.tokens.length))],
    });
  }

  /** Sorts what differs. Everything else that was compared doesn't, or no longer. */
  function judge(block: number, differences: readonly Difference[]): void {
    const [listedBefore, suspected] = [listed, suspects];
    const confirmed: Difference[] = [];
    listed = new Map();
    suspects = new Map();
    for (const difference of differences) {
      const key = keyOf(difference);
      const suspect = suspected.get(key) ?? difference;
      if (listedBefore.has(key)) listed.set(key, difference);
      else if (suspect.block < block) confirmed.push(difference);
      else suspects.set(key, suspect);
    }
    for (const difference of confirmed) {
      if (listed.size < maxListed) listed.set(keyOf(difference), difference);
    }
    results.confirmed += confirmed.length;
    results.differences = [...listed.values()];
    for (const difference of confirmed.slice(0, maxLines)) log(describe(difference));
    if (confirmed.length > maxLines) log(`chain ${chain.id}: and ${confirmed.length - maxLines} more`);
  }

  async function requestRepairs(): Promise<void> {
    const repairs = await requestTokenRepairs(pool, {
      schema,
      chainId: chain.id,
      differences: results.differences,
    });
    for (const token of repairs.requested) log(`chain ${chain.id}: token ${token} will be repaired`);
    for (const repair of repairs.repeated) {
      if (!repeated.has(repair.token)) log(describeRepeated(chain.id, repair));
      repeated.add(repair.token);
    }
  }

  return {
    results: (): Readonly<SelfCheckResults> => results,

    /** Notes why a run was left out. */
    skip(reason: string): void {
      results.problem = reason;
    },

    /**
     * Makes one comparison. An endpoint that doesn't answer, or lacks the state of the block, says nothing about the index and is only
     * noted. Throws the driver's error, or the signal's reason.
     */
    async run(): Promise<void> {
      try {
        const { block, calls, differences } = await compare({ ...options, maxSummed }, select);
        results.last = { block, at: Date.now(), calls };
        results.problem = undefined;
        results.compared += calls;
        judge(block, differences);
        await requestRepairs();
      } catch (error) {
        if (!(error instanceof ChainUnavailable || error instanceof IndexNotReady)) throw error;
        results.problem = error.message;
      } finally {
        reader.rotate();
      }
    },
  };
}

const keyOf = ({ token, account, what }: Difference) => `${token} ${account ?? ""} ${what}`;
