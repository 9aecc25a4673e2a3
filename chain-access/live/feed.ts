import { setTimeout as delay } from "node:timers/promises";
import { ignore } from "../../config/async.ts";
import { createChangeLog } from "../../config/log.ts";
import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { wrong } from "../endpoint/fault.ts";
import { chunk } from "../endpoint/limits.ts";
import { firstDoubt } from "../pool/anchor.ts";
import type { Hex } from "../sources/log.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import {
  type Header,
  headerByHash,
  headerByNumber,
  isBeforeParent,
  type LiveBlock,
  numberOf,
  type PreparedBlock,
  readHeader,
} from "./block.ts";
import { createHeaderCheck } from "./header-hash.ts";
import type { Heads } from "./heads.ts";

export type ReadHeadersOptions = {
  ask: Ask;
  heads: Heads;
  endpoints: readonly Endpoint[];
  chain: CanonicalChain;
};

/** Headers per batch. */
const maxBatchSize = 50;
/** Milliseconds to read them. */
const readMs = 15_000;

type Reading = {
  /** Returns the header in an answer. Throws an EndpointFault of kind "wrong" if it isn't what was asked for. */
  read: (answer: unknown, index: number) => Header;
  /** The number of the last block, if known. */
  number?: number | undefined;
  /** Must throw an EndpointFault of kind "wrong" for a header that is to be read again. */
  check?: (header: Header, endpoint: Endpoint) => void;
};

type HeaderReader = ReturnType<typeof createReadHeaders>;

/** Reads headers. Those of a single block resolve to null if no endpoint has it. */
export function createReadHeaders({ ask, heads, endpoints, chain }: ReadHeadersOptions) {
  const headerCheck = createHeaderCheck();
  /** Resolves to null if no endpoint has all of the blocks. */
  async function readAll(calls: Call[], { read, number, check }: Reading): Promise<Header[] | null> {
    const readOne = (answer: unknown, index: number) => {
      if (answer === null) throw new LacksBlock();
      return read(answer, index);
    };
    const isDoubted = headerCheck.createDoubt();
    const sent = await ask(calls, {
      number,
      check: (results, endpoint) => {
        for (const header of results.map(readOne)) {
          if (isDoubted(header, endpoint))
            throw wrong(`a header of block ${numberOf(header)} that does not have its hash`);
          check?.(header, endpoint);
        }
      },
      signal: AbortSignal.timeout(readMs),
    });
    const headers = sent?.results.map(readOne) ?? null;
    for (const header of headers ?? []) headerCheck.accept(header);
    return headers;
  }

  const byNumbers = async (numbers: number[]): Promise<Header[]> =>
    (await readAll(numbers.map(headerByNumber), {
      read: (answer, index) => readHeader(answer, { number: numbers[index] }),
      number: numbers.at(-1),
    })) ?? [];

  async function byHash(hash: Hex, options: Omit<Reading, "read"> = {}): Promise<Header | null> {
    const read = (answer: unknown) => readHeader(answer, { hash });
    return (await readAll([headerByHash(hash)], { ...options, read }))?.[0] ?? null;
  }

  return {
    headerByNumber: async (number: number): Promise<Header | null> => (await byNumbers([number]))[0] ?? null,

    /** Reads headers from one number to another, both included, in order. Batches that no endpoint has are left out. */
    async headersByNumber(from: number, to: number): Promise<Header[]> {
      // Each call counts as a request: a batch of more than an endpoint accepts in a second would never be answered.
      const fastest = Math.max(...endpoints.map(({ rate }) => rate));
      const batch = Math.max(1, Math.min(maxBatchSize, Math.floor(fastest / 2)));
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      return (await Promise.all(chunk(numbers, batch).map(byNumbers))).flat();
    },

    headerByHash: (hash: Hex): Promise<Header | null> => byHash(hash),

    /**
     * Returns a header, read again if it doesn't have its hash, or is older than its parent. What is read is accepted if no endpoint
     * has another one: then the chain hashes headers otherwise, or the parent's time was wrong. Resolves to null if no endpoint has the
     * block.
     */
    async confirm(header: Header, parent: Header | undefined): Promise<Header | null> {
      const isTooEarly = (one: Header) => parent !== undefined && isBeforeParent(one, parent);
      if (!headerCheck.isFalse(header) && !isTooEarly(header)) return header;
      const isFirstDoubt = firstDoubt();
      return await byHash(header.hash, {
        number: numberOf(header),
        check(again, endpoint) {
          if (isTooEarly(again) && isFirstDoubt(endpoint))
            throw wrong(`a time of block ${numberOf(again)} before that of its parent`);
        },
      });
    },

    /**
     * Whether more endpoints have replaced the canonical block of this number than still have it. For a number before the first
     * block in memory, that first block must have been replaced.
     */
    async isReplacement(header: Header): Promise<boolean> {
      const number = Math.max(numberOf(header), Number(chain.first?.number ?? 0));
      const headers = await Promise.all(
        endpoints.map((endpoint) => heads.fetchFrom(endpoint, headerByNumber(number), { number })),
      );
      const hashes = headers.flatMap((answer) => answer?.hash ?? []);
      const same = hashes.filter((hash) => hash === chain.hashAt(number)).length;
      return hashes.length - same > same;
    },
  };
}

type CanonicalChain = ReturnType<typeof createCanonicalChain>;

/** The most recent headers of the canonical branch, each the parent of the next. */
export function createCanonicalChain(size: number) {
  let headers: Header[] = [];

  const indexOf = (number: number) => (headers[0] === undefined ? -1 : number - numberOf(headers[0]));

  return {
    get first(): Header | undefined {
      return headers[0];
    },
    get tip(): Header | undefined {
      return headers.at(-1);
    },
    hashAt: (number: number): Hex | undefined => headers[indexOf(number)]?.hash,
    /** The parent of a header, if it is here. */
    parentOf({ number, parentHash }: Header): Header | undefined {
      const parent = headers[indexOf(Number(number) - 1)];
      return parent?.hash === parentHash ? parent : undefined;
    },
    has: ({ number, hash }: { number: number; hash: Hex }): boolean =>
      headers[indexOf(number)]?.hash === hash,

    /**
     * Appends a header to its parent, which must be here, and drops any blocks after the parent.
     *
     * @returns whether blocks were dropped: a reorg
     */
    append(header: Header): boolean {
      const index = indexOf(numberOf(header));
      if (headers[index - 1]?.hash !== header.parentHash) throw new Error("a block without its parent");
      const isReorg = index < headers.length;
      headers = [...headers.slice(0, index), header].slice(-size);
      return isReorg;
    },

    /** Starts over from a header that isn't linked to any of these. */
    restart(header: Header): void {
      headers = [header];
    },
  };
}

export type FeedOptions = {
  chain: CanonicalChain;
  headers: HeaderReader;
  /** Learns in one go what preparing these linked blocks requires. */
  cover: (branch: readonly Header[]) => Promise<unknown>;
  /** Waits until a block may follow. */
  waitBefore: (header: Header) => Promise<void>;
  /** Resolves to null if no endpoint has the block. */
  prepare: (header: Header) => Promise<PreparedBlock | null>;
  push: (block: LiveBlock) => void;
  replacesFinal: (branch: readonly Header[]) => Promise<boolean>;
  /** Whether a head that isn't linked to the canonical blocks belongs to our chain. */
  isOurs: (head: Header) => Promise<boolean>;
  /** Called before preparing a block that isn't linked to the canonical blocks. */
  onRestart: () => void;
  /** Called with a head of which no endpoint has the block or a parent, once such heads have kept new blocks back for a while. */
  onUnavailable: (head: Header) => void;
  log: (line: string, level?: "warn") => void;
};

/** Blocks. If more were missed, only the head is pushed, and Ponder asks for the rest. */
const maxGap = 256;
/** How often a head is tried that no endpoint has yet, and the milliseconds between attempts. */
const maxAttempts = 5;
/** Milliseconds without a new block after which heads that no endpoint has are taken for invented. */
const unavailableMs = 3_000;
const retryMs = 100;

/**
 * Turns heads, in whatever order they arrive, into the blocks of one chain: each once, in order, and complete before Ponder sees
 * it. The first block of another branch is pushed twice, because Ponder only rolls back at the first push.
 */
export function createFeed(options: FeedOptions) {
  const {
    chain,
    headers,
    cover,
    waitBefore,
    prepare,
    replacesFinal,
    isOurs,
    push,
    onRestart,
    onUnavailable,
    log,
  } = options;
  /** When a head was first tried in vain since the last block that was pushed. */
  let unavailableSince: number | undefined;
  const logFailure = createChangeLog(log);
  let newest: Header | undefined;
  let running: Promise<void> | undefined;

  const has = (header: Header) => chain.has({ number: numberOf(header), hash: header.hash });
  const hasParent = ({ number, parentHash }: Header) =>
    chain.has({ number: Number(number) - 1, hash: parentHash });

  /** Returns the headers that link the canonical chain to a head; undefined if one is not available. */
  async function branchTo(head: Header): Promise<Header[] | undefined> {
    const { tip, first } = chain;
    if (tip === undefined || first === undefined) return [head];
    const [from, to] = [numberOf(tip) + 1, numberOf(head) - 1];
    if (to - from >= maxGap) return [head];
    const branch: [Header, ...Header[]] = [head];
    if (from <= to) {
      for (const header of (await headers.headersByNumber(from, to)).toReversed()) {
        if (header.hash === branch[0].parentHash) branch.unshift(header);
      }
    }
    while (!hasParent(branch[0])) {
      if (numberOf(branch[0]) <= numberOf(first)) return [head];
      const parent = await headers.headerByHash(branch[0].parentHash);
      if (parent === null || numberOf(parent) !== numberOf(branch[0]) - 1) return undefined;
      branch.unshift(parent);
    }
    return branch;
  }

  /** Returns linked headers, of which those that can't be true were read again; undefined if one is not available. */
  async function confirmAll(branch: readonly Header[]): Promise<Header[] | undefined> {
    const checked: Header[] = [];
    for (const header of branch) {
      const confirmed = await headers.confirm(header, checked.at(-1) ?? chain.parentOf(header));
      if (confirmed === null) return undefined;
      checked.push(confirmed);
    }
    return checked;
  }

  /** Says why a head of our chain is not linked to the canonical blocks. */
  function logJump(head: Header): void {
    const { tip, first } = chain;
    if (tip === undefined || first === undefined) return;
    const missed = numberOf(head) - numberOf(tip) - 1;
    log(
      missed > maxGap
        ? `${missed} blocks were missed: continuing from block ${numberOf(head)}`
        : `a fork before block ${numberOf(first)}, the oldest in memory: pushing block ${numberOf(head)}`,
    );
  }

  /** Adds a header to the chain. Returns whether another branch was abandoned for it. */
  function appendOrRestart(header: Header): boolean {
    if (hasParent(header)) return chain.append(header);
    const isFirst = chain.tip === undefined;
    chain.restart(header);
    return !isFirst;
  }

  /** Pushes the blocks up to a head. Returns false if the head has to be tried again. */
  async function follow(head: Header): Promise<boolean> {
    if (has(head)) return true;
    if (numberOf(head) <= Number(chain.tip?.number ?? -1) && !(await headers.isReplacement(head)))
      return true;
    const linked = await branchTo(head);
    const branch = linked && (await confirmAll(linked));
    if (branch === undefined) return false;
    if (await replacesFinal(branch)) return true;
    if (!hasParent(branch[0] as Header)) {
      if (chain.tip !== undefined && !(await isOurs(head))) return false;
      logJump(head);
      onRestart();
    }
    if (branch.length > 1) await cover(branch);
    const preparing = branch.map((header) => prepare(header));
    // Each is awaited in order; a rejection before that must not end the process.
    for (const prepared of preparing) prepared.catch(ignore);
    for (const [index, header] of branch.entries()) {
      const prepared = await preparing[index];
      if (prepared == null) return false;
      await waitBefore(header);
      const isReorg = appendOrRestart(header);
      unavailableSince = undefined;
      logFailure("");
      push(prepared.block);
      if (isReorg) push(prepared.block);
    }
    return true;
  }

  function noteUnavailable(head: Header): void {
    unavailableSince ??= performance.now();
    if (performance.now() - unavailableSince < unavailableMs) return;
    unavailableSince = undefined;
    onUnavailable(head);
  }

  async function run(): Promise<void> {
    for (let attempt = 1; newest !== undefined; attempt++) {
      const head: Header = newest;
      const isDone = await follow(head).catch(({ message }: Error) =>
        logFailure(`block ${numberOf(head)}: ${message}`, undefined, message),
      );
      if (isDone === false) noteUnavailable(head);
      if (newest === head && (isDone || attempt === maxAttempts)) newest = undefined;
      else if (newest === head) await delay(retryMs);
      else attempt = 0;
    }
  }

  return {
    /** Accepts a head. Of those that arrive while blocks are being prepared, only the last one counts. */
    offer(header: Header): void {
      newest = header;
      running ??= run().finally(() => {
        running = undefined;
      });
    },

    /** Resolves once all blocks have been pushed. */
    idle: async (): Promise<void> => {
      await running;
    },
  };
}
