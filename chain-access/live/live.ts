import { LRUCache } from "lru-cache";
import { ignore } from "../../config/async.ts";
import { type Endpoint, endpointsForLogs } from "../endpoint/endpoint.ts";
import { type Anchor, finalityBlocks } from "../pool/anchor.ts";
import type { Pool } from "../pool/pool.ts";
import type { Children } from "../sources/children.ts";
import type { Hex, Log } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { createAsk } from "./ask.ts";
import { type Header, type LiveBlock, numberOf, type PreparedBlock, toBareBlock } from "./block.ts";
import { roomFor } from "./block-logs.ts";
import { readBloom } from "./bloom.ts";
import { createChildDiscovery } from "./child-discovery.ts";
import { createCanonicalChain, createFeed, createReadHeaders } from "./feed.ts";
import { createHeads, createLeader, maxLag, subscribeToHeads } from "./heads.ts";
import { addLogs, createCandidates, createPrepareBlock } from "./prepare-block.ts";
import { createSleepers } from "./sleepers.ts";

export type LiveOptions = {
  pool: Pool;
  children: Children;
  sources: Sources;
  /** The block up to which history has learned all tokens and pairs. */
  knownThrough: () => number;
  /** Excludes endpoints that have moved to another chain. */
  excludeOthers: () => Promise<unknown>;
  finality: {
    /** Blocks that are final. No branch that replaces one is followed. */
    blocks: () => readonly Anchor[];
    /**
     * Called with the block that is final by its depth after each block that is pushed, and whether an earlier one is known to be of the
     * same branch.
     */
    onFinal: (block: Anchor, follows: (earlier: Anchor) => boolean) => void;
  };
  /** Reads the tokens and pairs that have had events since a time in seconds since 1970. */
  readActive: (since: number) => Promise<Hex[]>;
  pollingMs: number;
  webSocketUrls: readonly string[];
  log: (line: string, level?: "warn") => void;
};

type Listener = (block: LiveBlock, options?: { isAgain: boolean }) => void;

export type Live = ReturnType<typeof createLive>;

const maxBlocksInMemory = 256;
/** Milliseconds to prepare a block. */
const prepareMs = 30_000;
/**
 * With more unread blocks than this between history and a block, only the block's header is returned: Ponder can't index the
 * block yet, and preparing it would mean searching all blocks in between for new tokens and pairs.
 */
const maxUnreadBlocks = 5_000;
/** Milliseconds between log lines about branches that are not followed, and the checks that they cause. */
const refusalMs = 10_000;
/** Seconds in which a token or a pair has had an event if it is active. */
const activeSeconds = 86_400;
/** How many times Ponder is given a block before it is taken to have refused it. */
const maxServed = 4;
/** Milliseconds before Ponder is told again to index blocks again. */
const repeatMs = 2_000;
/** Polling intervals that a subscription may be silent before the leader is polled as well. */
const silentPolls = 5;

/** Serves everything about blocks that are not final: the heads that Ponder follows, and the blocks and logs that it asks for. */
export function createLive(options: LiveOptions) {
  const {
    pool,
    children,
    sources,
    knownThrough,
    excludeOthers,
    finality,
    readActive,
    pollingMs,
    webSocketUrls,
    log,
  } = options;
  const { endpoints } = pool;
  const heads = createHeads(pool.endpoints);
  const ask = createAsk({ pool, heads });
  const chain = createCanonicalChain(maxBlocksInMemory);
  const childDiscovery = createChildDiscovery({
    ask,
    endpoints,
    heads,
    children,
    sources,
    knownThrough,
    hashAt: chain.hashAt,
  });
  const room = () => roomFor(endpointsForLogs(endpoints));
  const candidates = createCandidates({ children, sources, room, knownThrough });
  const prepareBlock = createPrepareBlock({ ask, childDiscovery, heads, children, sources, candidates });
  const headers = createReadHeaders({ ask, heads, chain, endpoints });
  const { headerByHash, headerByNumber } = headers;
  const sleepers = createSleepers({
    ask,
    heads,
    children,
    candidates,
    hashAt: chain.hashAt,
    log,
    async onFound(foundLogs) {
      for (const { header, logs } of foundLogs) {
        const { hash } = header;
        const cached = blocks.peek(hash);
        if (cached !== undefined)
          remember(
            hash,
            cached.then((prepared) => prepared && addLogs(prepared, logs)),
          );
        if (served.has(hash)) outdated.set(hash, numberOf(header));
      }
      await indexAgain();
    },
  });
  const blocks = new LRUCache<Hex, Promise<PreparedBlock | null>>({ max: maxBlocksInMemory });
  /** Blocks that Ponder may have, and how often it got them. */
  const served = new LRUCache<Hex, number>({ max: maxBlocksInMemory });
  /** Blocks that Ponder has to index again, until it asks for their logs. */
  const outdated = new Map<Hex, number>();
  let repeating: NodeJS.Timeout | undefined;
  /** Reads which tokens and pairs are active before the first block that leaves out the others. */
  let activity: Promise<void> | undefined;
  const preparingGap = new Set<Promise<unknown>>();
  let listener: Listener | undefined;
  let isStopped = false;
  /** Blocks that subscriptions have announced. One only counts as delivering once a block that it announced was followed. */
  const announcedBlocks = new LRUCache<Hex, true>({ max: maxBlocksInMemory });
  /** Which endpoint has reported heads that were offered. */
  const reportedBy = new LRUCache<Hex, Endpoint>({ max: maxBlocksInMemory });
  let lastPushAt = Number.NEGATIVE_INFINITY;

  /** If it fails, the next block tries again; meanwhile, active tokens are followed as if they slept. */
  function learnActive(time: number): Promise<void> {
    activity ??= readActive(time - activeSeconds).then(
      (addresses) => void candidates.wake(addresses, time),
      () => {
        activity = undefined;
      },
    );
    return activity;
  }

  async function prepareWithFound(header: Header): Promise<PreparedBlock | null> {
    if (!candidates.isWhole(readBloom(header.logsBloom))) await learnActive(Number(header.timestamp));
    const prepared = await prepareBlock(header, AbortSignal.timeout(prepareMs));
    if (prepared?.turn === undefined) return prepared;
    sleepers.note(prepared);
    await sleepers.wake(prepared.woken, header);
    return addLogs(prepared, sleepers.foundIn(header.hash));
  }

  /** Has Ponder index outdated blocks again, and those after them. Repeated until it has asked for their logs. */
  async function indexAgain(): Promise<void> {
    clearTimeout(repeating);
    const { tip } = chain;
    for (const [hash, number] of outdated) if (chain.hashAt(number) !== hash) outdated.delete(hash);
    if (tip === undefined || outdated.size === 0 || listener === undefined) return;
    const last = Math.min(...outdated.values()) - 1;
    if (last <= numberOf(tip) - finalityBlocks) {
      log(
        `events of sleeping tokens in block ${last + 1} came too late: they will be added to the history`,
        "warn",
      );
      return outdated.clear();
    }
    // Ponder rolls back to before any block that isn't new.
    const [before, newest] = [await blockBefore(last), (await byHash(tip.hash))?.block];
    // Blocks that aren't indexed again now are so after a while.
    repeating = setTimeout(() => void indexAgain().catch(ignore), repeatMs);
    if (before === null || newest === undefined) return;
    listener?.(before, { isAgain: true });
    listener?.(newest);
  }

  async function blockBefore(number: number): Promise<LiveBlock | null> {
    const hash = chain.hashAt(number);
    const header = hash === undefined ? await headerByNumber(number) : { hash };
    return (header && (await byHash(header.hash))?.block) ?? null;
  }

  /** Prepares a block that Ponder lacks before the first one that was pushed. Nothing is missing in it. */
  async function prepareGap(header: Header): Promise<LiveBlock | null> {
    const preparing = toBlock(header);
    preparingGap.add(preparing);
    await Promise.allSettled(preparingGap);
    const block = await preparing.finally(() => preparingGap.delete(preparing));
    if (block === null || !blocks.has(header.hash)) return block;
    await sleepers.settle();
    return (await byHash(header.hash))?.block ?? null;
  }

  function noteServed<Block extends LiveBlock | null>(block: Block): Block {
    if (block !== null) served.set(block.hash, (served.get(block.hash) ?? 0) + 1);
    return block;
  }

  /** What Ponder asks for again and again it has refused, and would refuse for ever: block and logs are read anew. */
  function forgetRefused(hash: Hex): void {
    const count = served.get(hash) ?? 0;
    if (count > 0 && count % maxServed === 0) blocks.delete(hash);
  }

  /** Keeps a block that is being prepared for all callers. A failure, or a block that no endpoint has, is forgotten. */
  function remember(hash: Hex, preparing: Promise<PreparedBlock | null>) {
    blocks.set(hash, preparing);
    const forget = () => void (blocks.peek(hash) === preparing && blocks.delete(hash));
    preparing.then((prepared) => prepared ?? forget(), forget);
    return preparing;
  }

  /** Prepares a block once for all callers. */
  function prepare(header: Header): Promise<PreparedBlock | null> {
    return blocks.get(header.hash) ?? remember(header.hash, prepareWithFound(header));
  }

  async function byHash(hash: Hex): Promise<PreparedBlock | null> {
    const cached = blocks.get(hash);
    if (cached !== undefined) return await cached;
    const header = await headerByHash(hash);
    return header && (await prepare(header));
  }

  async function blockByHash(hash: Hex): Promise<LiveBlock | null> {
    forgetRefused(hash);
    return noteServed((await byHash(hash))?.block ?? null);
  }

  async function toBlock(header: Header): Promise<LiveBlock | null> {
    if (childDiscovery.countUnread(header) > maxUnreadBlocks) return toBareBlock(header);
    return (await prepare(header))?.block ?? null;
  }

  /** Whether an endpoint that is on our chain has the block. */
  async function isOurs({ hash }: Header): Promise<boolean> {
    await excludeOthers();
    return (await headerByHash(hash)) !== null;
  }

  let refusedAt = Number.NEGATIVE_INFINITY;

  /** Whether a branch replaces final blocks. If so, the endpoints are asked which chain is theirs. */
  async function replacesFinal([first]: readonly Header[]): Promise<boolean> {
    const replaced = finality
      .blocks()
      .find(({ number, hash }) => first && numberOf(first) <= number && chain.hashAt(number) === hash);
    if (replaced === undefined) return false;
    if (performance.now() - refusedAt > refusalMs) {
      refusedAt = performance.now();
      log(`a branch that replaces block ${replaced.number}, which is final, is not followed`, "warn");
      await excludeOthers();
    }
    return true;
  }

  const feed = createFeed({
    chain,
    headers,
    prepare,
    replacesFinal,
    isOurs,
    log,
    waitBefore: sleepers.untilSearched,
    cover: (branch) => childDiscovery.cover(branch, AbortSignal.timeout(prepareMs)),
    push: (block) => {
      const isFresh = heads.reported - numberOf(block) <= maxLag;
      if (isFresh && announcedBlocks.has(block.hash)) lastPushAt = performance.now();
      if (isFresh) for (const socket of sockets) socket.noteBlock(block.hash);
      noteServed(block);
      listener?.(block);
      const number = numberOf(block) - finalityBlocks;
      const hash = chain.hashAt(number);
      const follows = (earlier: Anchor) => chain.hashAt(earlier.number) === earlier.hash;
      if (hash !== undefined) finality.onFinal({ number, hash }, follows);
    },
    onRestart: childDiscovery.restart,
    onUnavailable({ hash }) {
      const leader = reportedBy.get(hash);
      if (leader !== undefined) heads.distrust(leader);
    },
  });
  const leader = createLeader({
    heads,
    pollingMs,
    log,
    onHead(header, endpoint) {
      reportedBy.set(header.hash, endpoint);
      feed.offer(header);
    },
    isSubscribed: () => performance.now() - lastPushAt < silentPolls * pollingMs,
  });
  let sockets: ReturnType<typeof subscribeToHeads>[] = [];

  /**
   * Calls back with each new block of the chain in order; with the first block of another branch twice. With `isAgain`, Ponder has to
   * index all blocks from this one on again.
   */
  function follow(onBlock: Listener): void {
    if (isStopped) return;
    listener = onBlock;
    void leader.run();
    sockets = webSocketUrls.map((url, index) =>
      subscribeToHeads({
        url,
        name: `WebSocket #${index + 1}`,
        log,
        onHead: (header) => {
          heads.announce(header);
          announcedBlocks.set(header.hash, true);
          feed.offer(header);
        },
      }),
    );
  }

  return {
    /** Resolves to null, without waiting, if no endpoint can have the block. */
    async blockByNumber(number: number): Promise<LiveBlock | null> {
      const hash = chain.hashAt(number);
      if (hash !== undefined) return await blockByHash(hash);
      const header = await headerByNumber(number);
      if (header !== null) forgetRefused(header.hash);
      return noteServed(header && (await prepareGap(header)));
    },

    /** Resolves to null, without waiting, if no endpoint has the block, or has it any more. */
    blockByHash,

    /** Resolves to the indexed events of a block, or null if no endpoint has it, or has it any more. */
    async logsOf(hash: Hex): Promise<readonly Log[] | null> {
      const prepared = await byHash(hash);
      outdated.delete(hash);
      return prepared?.logs ?? null;
    },

    follow,

    /** After this, there are no new blocks. */
    stop(): void {
      isStopped = true;
      listener = undefined;
      clearTimeout(repeating);
      sleepers.stop();
      leader.stop();
      for (const socket of sockets) socket.stop();
      sockets = [];
    },
  };
}
