import { LRUCache } from "lru-cache";
import type { Anchor } from "../pool/anchor.ts";
import type { Pool } from "../pool/pool.ts";
import type { Children } from "../sources/children.ts";
import type { Hex, Log } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { createAsk } from "./ask.ts";
import { type Header, type LiveBlock, numberOf, type PreparedBlock, toBareBlock } from "./block.ts";
import { createChildDiscovery } from "./child-discovery.ts";
import { createFeed } from "./feed.ts";
import { createHeads, createLeader, maxLag } from "./heads.ts";
import { createPrepareBlock } from "./prepare-block.ts";
import { createCanonicalChain, createReadHeaders } from "./read-headers.ts";
import { subscribeToHeads } from "./web-socket.ts";

export type LiveOptions = {
  pool: Pool;
  children: Children;
  sources: Sources;
  /** The block up to which history has learned all tokens and pairs. */
  knownThrough: () => number;
  /** Excludes endpoints that have moved to another chain. */
  excludeOthers: () => Promise<unknown>;
  finality: {
    /** Blocks behind the head at which Ponder takes a block for final. */
    depth: number;
    /** Blocks that are final. No branch that replaces one is followed. */
    blocks: () => readonly Anchor[];
    /** Called with the block that is final by its depth after each block that is pushed. */
    onFinal: (block: Anchor) => void;
  };
  pollingMs: number;
  webSocketUrls?: readonly string[];
  log: (line: string, level?: "warn") => void;
};

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
    pollingMs,
    webSocketUrls = [],
    log,
  } = options;
  const heads = createHeads(pool.endpoints);
  const ask = createAsk({ pool, heads });
  const chain = createCanonicalChain(maxBlocksInMemory);
  const childDiscovery = createChildDiscovery({
    ask,
    endpoints: pool.endpoints,
    heads,
    children,
    sources,
    knownThrough,
    hashAt: chain.hashAt,
  });
  const prepareBlock = createPrepareBlock({ ask, childDiscovery, heads, children, sources });
  const { headerByHash, headerByNumber, headersByNumber, confirm, isReplacement } = createReadHeaders({
    ask,
    heads,
    chain,
    endpoints: pool.endpoints,
  });
  const blocks = new LRUCache<Hex, Promise<PreparedBlock | null>>({ max: maxBlocksInMemory });
  const listeners = new Set<(block: LiveBlock) => void>();
  /** Blocks that subscriptions have announced. One only counts as delivering once a block that it announced was followed. */
  const announcedBlocks = new LRUCache<Hex, true>({ max: maxBlocksInMemory });
  let lastPushAt = Number.NEGATIVE_INFINITY;

  /** Prepares a block once for all callers. A failure, or a block that no endpoint has, is forgotten. */
  function prepare(header: Header): Promise<PreparedBlock | null> {
    const known = blocks.get(header.hash);
    if (known !== undefined) return known;
    const preparing = prepareBlock(header, AbortSignal.timeout(prepareMs));
    blocks.set(header.hash, preparing);
    const forget = () => void (blocks.peek(header.hash) === preparing && blocks.delete(header.hash));
    preparing.then((prepared) => prepared ?? forget(), forget);
    return preparing;
  }

  async function byHash(hash: Hex): Promise<PreparedBlock | null> {
    const known = blocks.get(hash);
    if (known !== undefined) return await known;
    const header = await headerByHash(hash);
    return header && (await prepare(header));
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
    headerByHash,
    headersByNumber,
    confirm,
    prepare,
    isReplacement,
    replacesFinal,
    isOurs,
    log,
    cover: (branch) => childDiscovery.cover(branch, AbortSignal.timeout(prepareMs)),
    push: (block) => {
      const isFresh = heads.reported - numberOf(block) <= maxLag;
      if (isFresh && announcedBlocks.has(block.hash)) lastPushAt = performance.now();
      for (const listener of listeners) listener(block);
      const number = numberOf(block) - finality.depth;
      const hash = chain.hashAt(number);
      if (hash !== undefined) finality.onFinal({ number, hash });
    },
    onRestart: childDiscovery.restart,
  });
  const leader = createLeader({
    heads,
    pollingMs,
    log,
    onHead: feed.offer,
    isSubscribed: () => performance.now() - lastPushAt < silentPolls * pollingMs,
  });
  let sockets: { stop: () => void }[] = [];

  function start(): void {
    leader.start();
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

  function stop(): void {
    leader.stop();
    for (const socket of sockets) socket.stop();
    sockets = [];
  }

  return {
    /** Returns the head of the freshest healthy endpoint. Throws if none answers. */
    async latest(): Promise<LiveBlock> {
      await heads.refresh();
      const best = heads.best();
      const header = best && heads.latestOf(best);
      const block = header && (await toBlock(header));
      if (block == null) throw new Error("no endpoint has told its head");
      return block;
    },

    /** Resolves to null, without waiting, if no endpoint can have the block. */
    async blockByNumber(number: number): Promise<LiveBlock | null> {
      const hash = chain.hashAt(number);
      if (hash !== undefined) return (await byHash(hash))?.block ?? null;
      const header = await headerByNumber(number);
      return header && (await toBlock(header));
    },

    /** Resolves to null, without waiting, if no endpoint has the block, or has it any more. */
    blockByHash: async (hash: Hex): Promise<LiveBlock | null> => (await byHash(hash))?.block ?? null,

    /** Resolves to the indexed events of a block, or null if no endpoint has it, or has it any more. */
    logsOf: async (hash: Hex): Promise<readonly Log[] | null> => (await byHash(hash))?.logs ?? null,

    /**
     * Calls back with each new block of the chain in order; with the first block of another branch twice.
     *
     * @returns a function that stops following
     */
    follow(onBlock: (block: LiveBlock) => void): () => void {
      if (listeners.size === 0) start();
      listeners.add(onBlock);
      return () => {
        if (listeners.delete(onBlock) && listeners.size === 0) stop();
      };
    },

    stop(): void {
      listeners.clear();
      stop();
    },
  };
}
