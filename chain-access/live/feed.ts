import { setTimeout as delay } from "node:timers/promises";
import type { Hex } from "../sources/log.ts";
import { type Header, type LiveBlock, numberOf, type PreparedBlock } from "./block.ts";
import type { CanonicalChain } from "./canonical-chain.ts";

export type FeedOptions = {
  chain: CanonicalChain;
  /** Null: no endpoint has it. */
  headerByHash: (hash: Hex) => Promise<Header | null>;
  /** Both included, in order; as many as there are. */
  headersByNumber: (from: number, to: number) => Promise<Header[]>;
  /** Learns at once what preparing these linked blocks takes. */
  cover: (branch: readonly Header[]) => Promise<unknown>;
  /** Null: no endpoint has it. */
  prepare: (header: Header) => Promise<PreparedBlock | null>;
  /** Whether most endpoints have this block now, and not the one of the same number that is followed. */
  isReplacement: (header: Header) => Promise<boolean>;
  push: (block: LiveBlock) => void;
  /** Whether a head that isn't linked to the blocks that were followed is of our chain. */
  isOurs: (head: Header) => Promise<boolean>;
  /** Called before a block is prepared that isn't linked to those that were followed. */
  onRestart: () => void;
  log: (line: string) => void;
};

/** Blocks: over a wider gap only the head is pushed, and Ponder asks for the rest. */
const widestGap = 256;
/** How often, and after how many milliseconds, a head is tried again that no endpoint has yet. */
const attempts = 5;
const retryMs = 100;

/**
 * Turns heads, in whatever order they come, into the blocks of one chain: each once, in order, and complete before Ponder
 * hears of it. The first block of another branch is pushed twice, because Ponder only rolls back at the first.
 */
export function createFeed(options: FeedOptions) {
  const {
    chain,
    headerByHash,
    headersByNumber,
    cover,
    prepare,
    isReplacement,
    isOurs,
    push,
    onRestart,
    log,
  } = options;
  let newest: Header | undefined;
  let running: Promise<void> | undefined;

  const has = (header: Header) => chain.has({ number: numberOf(header), hash: header.hash });
  const hasParent = ({ number, parentHash }: Header) =>
    chain.has({ number: Number(number) - 1, hash: parentHash });

  /** The headers from the chain to a head; undefined if they aren't to be had. */
  async function branchTo(head: Header): Promise<Header[] | undefined> {
    const { tip, first } = chain;
    if (tip === undefined || first === undefined) return [head];
    const [from, to] = [numberOf(tip) + 1, numberOf(head) - 1];
    if (to - from >= widestGap) {
      log(`${to - from + 1} blocks were missed: continuing from block ${numberOf(head)}`);
      return [head];
    }
    const branch: [Header, ...Header[]] = [head];
    if (from <= to) {
      for (const header of (await headersByNumber(from, to)).toReversed()) {
        if (header.hash === branch[0].parentHash) branch.unshift(header);
      }
    }
    while (!hasParent(branch[0])) {
      if (numberOf(branch[0]) <= numberOf(first)) {
        log(`a fork before block ${numberOf(first)}, the oldest in memory: pushing block ${numberOf(head)}`);
        return [head];
      }
      const parent = await headerByHash(branch[0].parentHash);
      if (parent === null || numberOf(parent) !== numberOf(branch[0]) - 1) return undefined;
      branch.unshift(parent);
    }
    return branch;
  }

  /** Adds a header to the chain, and says whether another branch was left for it. */
  function place(header: Header): boolean {
    if (hasParent(header)) return chain.append(header);
    const isFirst = chain.tip === undefined;
    chain.restart(header);
    return !isFirst;
  }

  /** @returns whether the head has been pushed, or needn't be */
  async function follow(head: Header): Promise<boolean> {
    if (has(head)) return true;
    if (numberOf(head) <= Number(chain.tip?.number ?? -1) && !(await isReplacement(head))) return true;
    const branch = await branchTo(head);
    if (branch === undefined) return false;
    if (!hasParent(branch[0] as Header)) {
      if (chain.tip !== undefined && !(await isOurs(head))) return false;
      onRestart();
    }
    if (branch.length > 1) await cover(branch);
    const preparing = branch.map((header) => prepare(header));
    for (const prepared of preparing) prepared.catch(awaitedBelow);
    for (const [index, header] of branch.entries()) {
      const prepared = await preparing[index];
      if (prepared == null) return false;
      const isReorg = place(header);
      push(prepared.block);
      if (isReorg) push(prepared.block);
    }
    return true;
  }

  async function run(): Promise<void> {
    for (let attempt = 1; newest !== undefined; attempt++) {
      const head: Header = newest;
      const isDone = await follow(head).catch((error: Error) => {
        log(`block ${numberOf(head)}: ${error.message}`);
        return false;
      });
      if (newest === head && (isDone || attempt === attempts)) newest = undefined;
      else if (newest === head) await delay(retryMs);
      else attempt = 0;
    }
  }

  return {
    /** Takes the head of an endpoint. While blocks are prepared, only the last one counts. */
    offer(header: Header): void {
      newest = header;
      running ??= run().finally(() => {
        running = undefined;
      });
    },

    /** Resolves once nothing is left to do. */
    idle: async (): Promise<void> => {
      await running;
    },
  };
}

/** Each is awaited in its turn; one that fails before that must not end the process. */
const awaitedBelow = () => {};
