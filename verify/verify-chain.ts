import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { chunk } from "../chain-access/endpoint/limits.ts";
import { inSnapshot } from "../offchain/connection.ts";
import type { Selection } from "./checks.ts";
import {
  type CompareOptions,
  type Comparison,
  compare,
  type Difference,
  readFinalBlock,
  selectionOf,
} from "./compare.ts";
import { type BalanceKey, countRows, nextBalances, nextTokens, selectRandom } from "./select.ts";

/** Holders or tokens in one snapshot: some requests, so that their block doesn't grow old meanwhile. */
const balancesPerPage = 1_000;
const tokensPerPage = 200;
/** Milliseconds to wait for a later final block, by which a difference is confirmed. */
const laterBlockMs = 60_000;
const pollMs = 500;

const firstAddress = `0x${"0".repeat(40)}` as const;

export type VerifyOptions = CompareOptions & {
  /** Compares only so many rows, chosen at random. Default: everything. */
  sample?: number;
  /** Called with the number of rows that have been compared, and of all that will be. */
  onProgress?: (done: number, total: number) => void;
};

export type Report = {
  /** The final blocks at which the first and the last rows were compared. */
  fromBlock: number;
  toBlock: number;
  balances: number;
  tokens: number;
  /** Those that were still there at a later block. */
  differences: Difference[];
};

/**
 * Compares a chain's whole index, or a sample of it, with the contracts. What differs is compared again at a later final block, with
 * another endpoint if there are several, and only counts if it differs there, too.
 *
 * @throws IndexNotReady, ChainUnavailable, or the driver's error
 */
export async function verifyChain({ sample, onProgress, ...options }: VerifyOptions): Promise<Report> {
  const { pool, schema, chain } = options;
  const { first, total, chosen } = await inSnapshot(pool, async (client) => {
    const first = (await readFinalBlock(client, options)).block;
    const from = { client, schema, chainId: chain.id };
    if (sample === undefined) return { first, total: await countRows(from) };
    const chosen = await selectRandom(from, sample);
    return { first, chosen, total: chosen.balances.length + chosen.tokens.length };
  });
  const report: Report = {
    fromBlock: first,
    toBlock: first,
    balances: 0,
    tokens: 0,
    differences: [],
  };
  const suspects: Difference[] = [];

  for await (const page of chosen === undefined ? everything(options) : inPages(options, chosen)) {
    report.toBlock = page.block;
    report.balances += page.selection.balances.length;
    report.tokens += page.selection.tokens.length;
    suspects.push(...page.differences);
    // The tables may have grown since they were counted.
    if (total > 0) onProgress?.(Math.min(report.balances + report.tokens, total), total);
  }
  if (suspects.length > 0) {
    await untilLater(options, Math.max(...suspects.map(({ block }) => block)));
    options.reader.rotate();
    for await (const page of inPages(options, selectionOf(suspects))) {
      report.differences.push(...page.differences);
    }
  }
  return report;
}

async function* everything(options: CompareOptions): AsyncGenerator<Comparison> {
  const { schema, chain } = options;
  const from = (client: pg.ClientBase) => ({ client, schema, chainId: chain.id });
  for (let token = firstAddress as BalanceKey["token"] | undefined; token !== undefined; ) {
    const after = token;
    const page = await compare(options, async (client) => ({
      balances: [],
      tokens: await nextTokens(from(client), after, tokensPerPage),
    }));
    const { tokens } = page.selection;
    token = tokens.length < tokensPerPage ? undefined : tokens.at(-1);
    yield page;
  }
  const firstKey: BalanceKey = { token: firstAddress, account: firstAddress };
  for (let key = firstKey as BalanceKey | undefined; key !== undefined; ) {
    const after = key;
    const page = await compare(options, async (client) => ({
      balances: await nextBalances(from(client), after, balancesPerPage),
      tokens: [],
    }));
    const { balances } = page.selection;
    key = balances.length < balancesPerPage ? undefined : balances.at(-1);
    yield page;
  }
}

async function* inPages(
  options: CompareOptions,
  { balances, tokens }: Selection,
): AsyncGenerator<Comparison> {
  for (const part of chunk(tokens, tokensPerPage)) {
    yield await compare(options, async () => ({ balances: [], tokens: part }));
  }
  for (const part of chunk(balances, balancesPerPage)) {
    yield await compare(options, async () => ({ balances: part, tokens: [] }));
  }
}

/** Waits until a later block than this is final. On a chain that stands still, the same block has to do. */
async function untilLater(options: CompareOptions, block: number): Promise<void> {
  for (const end = performance.now() + laterBlockMs; performance.now() < end; ) {
    const final = await inSnapshot(options.pool, (client) => readFinalBlock(client, options));
    if (final.block > block) return;
    await delay(pollMs, undefined, { signal: options.signal });
  }
}
