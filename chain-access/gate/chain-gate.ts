import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { createNews, ignore, within } from "../../config/async.ts";
import { createThrottledLog } from "../../config/log.ts";
import { createEndpoint, type Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { createHistory } from "../history/history.ts";
import { createLogReader } from "../history/read-logs.ts";
import { readActive, readStoredLogs } from "../history/stored-events.ts";
import { forPonder, type LiveBlock } from "../live/block.ts";
import { createLive, type Live } from "../live/live.ts";
import { type Anchor, ChainConflict, finalityBlocks, readFinalHeader } from "../pool/anchor.ts";
import { createPool } from "../pool/pool.ts";
import { createPortal, createPortalLogs, type PortalOptions } from "../portal/portal.ts";
import { createChildren } from "../sources/children.ts";
import { eventTopics } from "../sources/events.ts";
import type { Hex, Log } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { findFinal, readHeads, waitForHead } from "./confirmed-head.ts";
import { reportFalseHeads, reportHealth, reportProgress, statusOf } from "./endpoint-status.ts";
import { createLossReport, pollsPerReading, rereadFollowed } from "./reread-followed.ts";
import { createFinalBlocks, watchChain } from "./watch-chain.ts";

/**
 * Milliseconds between polls of the heads of endpoints that are failing or lack requested blocks. Every fifth poll asks all
 * endpoints.
 */
const headPollMs = 3_000;
const pollsPerFullPoll = 5;
/** Milliseconds after a line in which no more lines about the same subject are logged. */
const quietMs = 30_000;

export type ChainGateDeps = {
  sources: Sources;
  rpcUrls: readonly string[];
  /** Endpoints to subscribe to new heads at. */
  webSocketUrls: readonly string[];
  /** Where history is read from first. Undefined: from the RPC endpoints. */
  portal?: (PortalOptions & { secondOpinionShare?: number }) | undefined;
  /** Milliseconds between polls for a new head. */
  pollingMs: number;
  database: pg.Pool;
  /** The time, in seconds since 1970, up to which this process's index is final; 0 if nothing is indexed yet. */
  readIndexedTime: () => Promise<number>;
  /** The Postgres schema that is indexed. */
  schema: string;
  /** Milliseconds between readings of blocks that were followed and have become final. */
  rereadMs?: number;
  log: (line: string, level?: "warn") => void;
  /** Whether progress is shown on a terminal. */
  isForTerminal?: boolean;
};

type LogQuery = { address?: Hex | Hex[]; topics?: (Hex | Hex[] | null)[]; fromBlock: Hex; toBlock: Hex };

/** Answers Ponder's requests about a chain. */
export function createChainGate(deps: ChainGateDeps) {
  const {
    sources,
    rpcUrls,
    webSocketUrls,
    portal: portalOptions,
    pollingMs,
    database,
    readIndexedTime,
    schema,
    rereadMs = pollsPerReading * deps.pollingMs,
    log,
    isForTerminal,
  } = deps;
  const endpoints = rpcUrls.map((url, index) => createEndpoint({ url, name: `endpoint ${index + 1}` }));
  const pool = createPool({
    endpoints,
    onInvalidAnswer: (endpoint, { message }) => logThrottled(endpoint, `gave a wrong answer: ${message}`),
  });
  const logThrottled = createThrottledLog(log, quietMs);
  const portal = portalOptions && createPortal(portalOptions, log);
  const watched = portal ? [...endpoints, portal] : endpoints;
  const rpcLogs = createLogReader(pool);
  const share = portalOptions?.secondOpinionShare;
  const children = createChildren(sources);
  const finalBlocks = createFinalBlocks(database, sources.chainId);
  const losses = createLossReport(log);
  const history = createHistory({
    pool,
    logs: portal ? createPortalLogs({ portal, rpc: rpcLogs, pool, logThrottled, share }) : rpcLogs,
    database,
    sources,
    children,
    schema,
    findFinal: findNextFinal,
    readIndexedTime,
    lastFinal: () => finalBlocks.last,
    isSameChain: () => watch.isSettled(),
    onDifference: losses.report,
    log,
    onFailure(error) {
      logThrottled(`history: ${(error as Error).message};`, "trying again", "warn");
      if (error instanceof ChainConflict) void excludeOthers();
    },
  });

  const { knownThrough } = history;
  const watch = watchChain({
    chainId: sources.chainId,
    endpoints,
    database,
    schema,
    finalBlocks,
    log,
    onReplaced: stopReading,
  });
  const { excludeOthers } = watch;
  // After a failure, Ponder's first request reads history again.
  void watch.whenVerified().then(history.readAhead).catch(ignore);
  const finality = {
    blocks: () => [finalBlocks.last, watch.finalized].filter((block) => block !== undefined),
    onFinal: recordFollowed,
  };
  const live = createLive({
    pool,
    children,
    sources,
    knownThrough,
    excludeOthers,
    finality,
    readActive: (since) => readActive(database, sources.chainId, since),
    pollingMs,
    webSocketUrls,
    log,
  });
  const latest = createLatest(live);
  const rereading = rereadFollowed({ history, everyMs: rereadMs, countAddresses: () => children.count, log });

  const { chainId, startBlock } = sources;
  const onHeadChecked = reportFalseHeads(chainId, log);
  const logSyncing = (head: number) =>
    logThrottled(
      "waiting",
      `for block ${startBlock}, the first to index: the endpoints are still syncing, and at ${head}`,
    );
  const untilHead = () => waitForHead(endpoints, logSyncing, { startBlock, onHeadChecked });

  /**
   * Finds a final block that follows the last one of the index. Otherwise a chain that replaces final blocks while a gate starts would
   * be taken for the same.
   */
  async function findNextFinal(atLeast: number): Promise<Anchor> {
    try {
      const final = await findFinal(endpoints, await untilHead(), atLeast, await finalBlocks.newest());
      if (!watch.isReplaced) finalBlocks.record(final);
      return final;
    } catch (error) {
      await excludeOthers();
      throw error;
    }
  }

  let isLinking = false;

  /** Records a followed block that is final. After a start, the last one isn't in memory: then an endpoint has to have both. */
  function recordFollowed(block: Anchor, follows: (earlier: Anchor) => boolean): void {
    const { last } = finalBlocks;
    if (watch.isReplaced) return;
    if (last === undefined || follows(last)) finalBlocks.record(block);
    else if (!isLinking) void link(block.number);
  }

  async function link(number: number): Promise<void> {
    isLinking = true;
    const nextFinal = await findNextFinal(number).catch(ignore);
    if (nextFinal === undefined) await delay(headPollMs);
    isLinking = false;
  }

  let polls = 0;
  /** The highest final block that Ponder has asked for. */
  let highestRequested = 0;
  const needsPolling = ({ head = -1, isHealthy }: Endpoint) => !isHealthy || head < highestRequested;
  const timer = setInterval(() => {
    const isFullPoll = ++polls % pollsPerFullPoll === 0;
    void readHeads(isFullPoll ? endpoints : endpoints.filter(needsPolling), { onHeadChecked });
  }, headPollMs);
  const endReports = [reportHealth(endpoints, log), reportProgress(history, watched, log, isForTerminal)];

  const readHeader = async (number: number) => forPonder(await readFinalHeader(pool, number));

  /**
   * The header of the latest block that two endpoints have; with a single endpoint, of its own. Waits for one that is high enough:
   * Ponder doesn't start if what it has indexed as final would not be final.
   */
  async function readLatestHeader(): Promise<unknown> {
    // Read once: while another process follows the chain, as during an upgrade, it goes on.
    const final = (await finalBlocks.newest())?.number ?? 0;
    for (;;) {
      const head = await untilHead();
      if (Math.max(0, head - finalityBlocks) < final && !watch.isReplaced) {
        logThrottled(
          "waiting",
          `for block ${final + finalityBlocks}, since block ${final} is final in the index: the endpoints are at ${head}`,
        );
        await delay(headPollMs);
        continue;
      }
      try {
        return await readHeader(head);
      } catch (error) {
        // None has it, so the head was wrong.
        if (!(error instanceof EndpointFault) || error.kind !== "wrong") throw error;
      }
    }
  }

  async function readLogs({ address, topics = [], fromBlock, toBlock }: LogQuery): Promise<unknown> {
    const range = { from: Number(fromBlock), to: Number(toBlock) };
    highestRequested = Math.max(highestRequested, range.to);
    await history.ensure(range);
    const topic = [topics[0]].flat()[0] ?? "0x";
    const isFactory = Array.isArray(address) && factoryTopics.has(topic);
    if (!isFactory) return [];
    const contract = address[0] as Hex;
    return await readStoredLogs(database, sources.chainId, { address: contract, topic, ...range });
  }

  /** At startup Ponder asks for headers by number; while it follows the chain, for whole blocks and for blocks by hash. */
  async function readBlock(method: string, [first, isFull]: readonly unknown[]): Promise<unknown> {
    if (method === "eth_getBlockByNumber" && isFull === false) {
      return first === "latest" ? await readLatestHeader() : await readHeader(Number(first));
    }
    // From now on, following the chain keeps the heads up to date.
    clearInterval(timer);
    await history.load();
    rereading.start();
    if (method === "eth_getBlockByHash") return await live.blockByHash(first as Hex);
    return first === "latest" ? await latest.next() : await live.blockByNumber(Number(first));
  }

  async function readBlockLogs(hash: Hex): Promise<readonly Log[]> {
    const logs = await live.logsOf(hash);
    if (logs === null) throw new Error(`no endpoint has the block ${hash} any more`);
    return logs;
  }

  /** Stops reading for the index, and resolves once what has been read is stored. */
  async function stopReading(): Promise<void> {
    clearInterval(timer);
    live.stop();
    await Promise.all([history.stop(), rereading.stop()]);
  }

  async function answer(method: string, params: readonly unknown[]): Promise<unknown> {
    if (method === "eth_getBlockByNumber" || method === "eth_getBlockByHash") {
      return await readBlock(method, params);
    }
    if (method === "eth_getLogs") {
      const [query] = params as [LogQuery | { blockHash: Hex }];
      return "blockHash" in query ? await readBlockLogs(query.blockHash) : await readLogs(query);
    }
    const { results } = await pool.send([{ method, params }], { isUrgent: true });
    return results[0];
  }

  return {
    async request(method: string, params: readonly unknown[]): Promise<unknown> {
      await watch.whenVerified();
      if (!watch.isReplaced) {
        try {
          await history.open();
          return await answer(method, params);
        } catch (error) {
          if (!watch.isReplaced) throw error;
        }
      }
      // Ponder gets the headers that it needs to start, and so to serve, but nothing more that it could index.
      return isForIndexing(method, params)
        ? await new Promise<never>(() => {})
        : await answer(method, params);
    },

    status: () => statusOf(watched),
    losses: () => losses.count,

    async stop(): Promise<void> {
      watch.stop();
      for (const end of endReports) end();
      await stopReading();
      await finalBlocks.stop();
    },
  };
}

/** Whether Ponder indexes what it has requested. It only polls full blocks by the tag `latest`, which no longer changes. */
const isForIndexing = (method: string, [block, isFull]: readonly unknown[]) =>
  method === "eth_getLogs" || (/^eth_getBlockBy/.test(method) && isFull !== false && block !== "latest");

/** The events that announce child contracts. Only their logs are returned to Ponder; it reads all others from the database. */
const factoryTopics = new Set<string>([eventTopics.tokenCreated, eventTopics.graduated]);

/** Milliseconds that a poll waits for a new block. */
const maxWaitMs = 250;

/**
 * Answers Ponder's polls for the latest block by long polling: as soon as there is a new one, or after a while with the previous
 * one. The first poll starts following the chain.
 */
function createLatest(live: Pick<Live, "follow">) {
  let block: LiveBlock | undefined;
  /** Blocks that Ponder has to index again. Unlike new ones, none may be skipped. */
  const again: LiveBlock[] = [];
  let isNews = false;
  let isFollowing = false;
  const news = createNews();

  function hear(next: LiveBlock, { isAgain } = { isAgain: false }): void {
    if (isAgain) again.push(next);
    else block = next;
    isNews = true;
    news.notify();
  }

  return {
    /** Resolves to the next block, or to the previous one again if there is none in time. */
    async next(): Promise<LiveBlock> {
      if (!isFollowing) live.follow(hear);
      isFollowing = true;
      if (block === undefined) await news.next();
      else if (!isNews) await within(maxWaitMs, news.next());
      const next = again.shift() ?? (block as LiveBlock);
      isNews = next !== block;
      return next;
    },
  };
}
