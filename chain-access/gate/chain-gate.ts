import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { createEndpoint, type Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { createHistory } from "../history/history.ts";
import { createLogReader } from "../history/read-logs.ts";
import { readStoredLogs } from "../history/stored-events.ts";
import { headerByNumber } from "../live/block.ts";
import { createLive } from "../live/live.ts";
import { createPool } from "../pool/pool.ts";
import { createPortal, type PortalOptions } from "../portal/portal.ts";
import { createPortalLogs } from "../portal/portal-logs.ts";
import { createChildren } from "../sources/children.ts";
import { eventTopics } from "../sources/events.ts";
import type { Hex, Log } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { statusOf } from "./endpoint-status.ts";
import { readHeads } from "./heads.ts";
import { createLatest } from "./latest.ts";
import { reportHealth } from "./report-health.ts";
import { reportProgress } from "./report-progress.ts";
import { createSeldomLog } from "./seldom-log.ts";
import { watchChain } from "./watch-chain.ts";

/** Blocks behind the head that Ponder takes for final, on chains that it has no number for. */
const finalityBlocks = 30;
/** Milliseconds between two looks at the heads of endpoints that may not be asked yet, and how many such looks come between two at all. */
const lookAtHeadsMs = 3_000;
const looksAtAll = 5;

export type ChainGateDeps = {
  sources: Sources;
  rpcUrls: readonly string[];
  /** Where new heads are subscribed to. */
  webSocketUrls: readonly string[];
  /** Where history is read from first. Undefined: from the endpoints. */
  portal?: (PortalOptions & { secondOpinionShare?: number }) | undefined;
  /** Milliseconds between polls for a new head. */
  pollingMs: number;
  database: pg.Pool;
  log: (line: string) => void;
  /** Whether progress is drawn on a terminal. */
  isForTerminal?: boolean;
};

type LogQuery = { address?: Hex | Hex[]; topics?: (Hex | Hex[] | null)[]; fromBlock: Hex; toBlock: Hex };

/** Answers what Ponder asks of a chain. */
export function createChainGate(deps: ChainGateDeps) {
  const {
    sources,
    rpcUrls,
    webSocketUrls,
    portal: portalOptions,
    pollingMs,
    database,
    log,
    isForTerminal,
  } = deps;
  const endpoints = rpcUrls.map((url, index) => createEndpoint({ url, name: `endpoint ${index + 1}` }));
  const pool = createPool({
    endpoints,
    onLie: (endpoint, { message }) => logSeldom(endpoint, `gave a wrong answer: ${message}`),
  });
  const logSeldom = createSeldomLog(log);
  const portal = portalOptions && createPortal(portalOptions, log);
  const watched = portal ? [...endpoints, portal] : endpoints;
  const rpcLogs = createLogReader(pool);
  const share = portalOptions?.secondOpinionShare;
  const children = createChildren(sources);
  const history = createHistory({
    pool,
    logs: portal ? createPortalLogs({ portal, rpc: rpcLogs, pool, logSeldom, share }) : rpcLogs,
    database,
    sources,
    children,
    readFinalized: async () => Math.max(0, (await readHead()) - finalityBlocks),
    onFailure: (error) => log(`history: ${(error as Error).message}; trying again`),
  });

  const { knownThrough } = history;
  const watch = watchChain({ chainId: sources.chainId, endpoints, database, finalityBlocks, log });
  const { excludeOthers } = watch;
  // What fails is tried again once Ponder asks.
  void watch.whenKnown().then(history.readAhead).catch(leaveToFirstQuestion);
  const live = createLive({
    ...{ pool, children, sources, knownThrough, excludeOthers, pollingMs, webSocketUrls, log },
  });
  const latest = createLatest(live);

  async function readHead(): Promise<number> {
    for (;;) {
      const head = await readHeads(endpoints);
      if (head !== undefined) return head;
      await delay(200);
    }
  }

  let looks = 0;
  /** The last final block that Ponder has asked for. */
  let wanted = 0;
  const isLookedAt = ({ head = -1, isHealthy }: Endpoint) => !isHealthy || head < wanted;
  const timer = setInterval(() => {
    const isOfAll = ++looks % looksAtAll === 0;
    void readHeads(isOfAll ? endpoints : endpoints.filter(isLookedAt));
  }, lookAtHeadsMs);
  const endReports = [reportHealth(endpoints, log), reportProgress(history, watched, log, isForTerminal)];

  /** A block's header. Waits for an endpoint that has it. */
  async function readHeader(number: number): Promise<unknown> {
    const { results } = await pool.send([headerByNumber(number)], {
      block: number,
      check: ([block]) => {
        if (block === null) throw new EndpointFault("server", `no block ${number}`);
      },
    });
    return results[0];
  }

  async function readLogs({ address, topics = [], fromBlock, toBlock }: LogQuery): Promise<unknown> {
    const range = { from: Number(fromBlock), to: Number(toBlock) };
    wanted = Math.max(wanted, range.to);
    await history.ensure(range);
    const topic = [topics[0]].flat()[0] ?? "0x";
    const isFactory = Array.isArray(address) && isNaming.has(topic);
    if (!isFactory) return [];
    const contract = address[0] as Hex;
    return await readStoredLogs(database, sources.chainId, { address: contract, topic, ...range });
  }

  /** A header for where Ponder begins, whatever block that is; whole blocks, and those by hash, while it follows the chain. */
  async function readBlock(method: string, [first, isFull]: readonly unknown[]): Promise<unknown> {
    if (method === "eth_getBlockByNumber" && isFull === false) {
      return await readHeader(first === "latest" ? await readHead() : Number(first));
    }
    // From now on, whoever follows the chain looks at the heads.
    clearInterval(timer);
    await history.load();
    if (method === "eth_getBlockByHash") return await live.blockByHash(first as Hex);
    return first === "latest" ? await latest.next() : await live.blockByNumber(Number(first));
  }

  async function readBlockLogs(hash: Hex): Promise<readonly Log[]> {
    const logs = await live.logsOf(hash);
    if (logs === null) throw new Error(`no endpoint has the block ${hash} any more`);
    return logs;
  }

  return {
    async request(method: string, params: readonly unknown[]): Promise<unknown> {
      await watch.whenKnown();
      if (method === "eth_getBlockByNumber" || method === "eth_getBlockByHash") {
        return await readBlock(method, params);
      }
      if (method === "eth_getLogs") {
        const [query] = params as [LogQuery | { blockHash: Hex }];
        return "blockHash" in query ? await readBlockLogs(query.blockHash) : await readLogs(query);
      }
      const { results } = await pool.send([{ method, params }], { isUrgent: true });
      return results[0];
    },

    status: () => statusOf(watched),

    async stop(): Promise<void> {
      clearInterval(timer);
      watch.stop();
      latest.stop();
      live.stop();
      for (const end of endReports) end();
      await history.stop();
    },
  };
}

const leaveToFirstQuestion = () => {};

/** The events that name contracts: only their logs does Ponder take from us, all others from the database. */
const isNaming = new Set<string>([eventTopics.tokenCreated, eventTopics.graduated]);
