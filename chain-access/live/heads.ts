import { LRUCache } from "lru-cache";
import { WebSocket } from "ws";
import { pause, within } from "../../config/async.ts";
import { createChangeLog } from "../../config/log.ts";
import { type Call, type Endpoint, endpointsForLogs } from "../endpoint/endpoint.ts";
import { createRedact, wrong } from "../endpoint/fault.ts";
import { readHeaderFrom } from "../pool/anchor.ts";
import type { Hex } from "../sources/log.ts";
import { type Header, numberOf, readHeader } from "./block.ts";

export type Heads = ReturnType<typeof createHeads>;

const latestHeader = { method: "eth_getBlockByNumber", params: ["latest", false] };
/** Milliseconds for all endpoints together. */
const refreshMs = 2_000;
/** Milliseconds for which an endpoint isn't followed that has reported a head that none has. */
const distrustMs = 60_000;

/** Tracks the endpoints' heads. */
export function createHeads(endpoints: readonly Endpoint[]) {
  const latest = new Map<Endpoint, Header>();
  /** How many blocks an endpoint was behind the freshest head when it was last asked. */
  const lag = new Map<Endpoint, number>();
  const polls = new Map<Endpoint, Promise<Header | undefined>>();
  /** When endpoints were found to report a head that none has. */
  const distrustedAt = new Map<Endpoint, number>();
  /** The highest head that a subscription has announced since all endpoints were last asked. Anything may be announced. */
  let announced = -1;

  const isTrusted = (endpoint: Endpoint) =>
    performance.now() - (distrustedAt.get(endpoint) ?? Number.NEGATIVE_INFINITY) > distrustMs;

  /** The highest head of an endpoint that is used. */
  function reported(): number {
    const used = endpoints.filter(({ excluded }) => excluded === undefined);
    const trusted = used.filter(isTrusted);
    return (trusted.length > 0 ? trusted : used).reduce(
      (highest, { head = -1 }) => Math.max(highest, head),
      -1,
    );
  }
  const freshest = () => Math.max(announced, reported());

  function observe(endpoint: Endpoint, header: Header): void {
    endpoint.head = numberOf(header);
    latest.set(endpoint, header);
    lag.set(endpoint, freshest() - endpoint.head);
  }

  /** Like {@link readHeaderFrom}, and undefined for an endpoint that isn't used. */
  async function fetchFrom(endpoint: Endpoint, call: Call, wanted?: { number: number }) {
    return endpoint.excluded === undefined ? await readHeaderFrom(endpoint, call, wanted) : undefined;
  }

  function poll(endpoint: Endpoint): Promise<Header | undefined> {
    const polling =
      polls.get(endpoint) ??
      fetchFrom(endpoint, latestHeader).then((header) => {
        polls.delete(endpoint);
        if (header === null) endpoint.reportInvalidAnswer(wrong("no latest block"));
        else if (header !== undefined) observe(endpoint, header);
        return header ?? undefined;
      });
    polls.set(endpoint, polling);
    return polling;
  }

  /** Whether an endpoint should have a block of this number by now, given how far behind it was when last asked. */
  function mayHave(endpoint: Endpoint, number: number): boolean {
    const { head = number } = endpoint;
    return Math.max(head, freshest() - (lag.get(endpoint) ?? reported() - head)) >= number;
  }

  return {
    fetchFrom,

    /** Records a head that a subscription has announced. It counts until the endpoints are asked. */
    announce(header: Header): void {
      announced = Math.max(announced, numberOf(header));
    },

    /** Asks one endpoint for its head. Returns undefined if it fails. */
    poll,

    /** Asks all endpoints but one for their heads, and waits for those that answer in time. */
    async refresh(except?: Endpoint): Promise<void> {
      announced = -1;
      const others = endpoints.filter((endpoint) => endpoint !== except);
      await within(refreshMs, Promise.all(others.map(poll)));
    },

    /** The highest head that any endpoint has reported; -1: none yet. */
    get reported(): number {
      return reported();
    },

    latestOf: (endpoint: Endpoint): Header | undefined => latest.get(endpoint),

    /** Whether an endpoint is known to have a block of this number. */
    has: ({ head = -1 }: Endpoint, number: number): boolean => head >= number,

    mayHave,

    /** The endpoints whose limits decide how large requests for the logs of a block are. */
    forLogs: (number: number): readonly Endpoint[] =>
      endpointsForLogs(endpoints, (endpoint) => mayHave(endpoint, number)),

    /** Has an endpoint's heads not count for a while: no endpoint has the blocks. */
    distrust(endpoint: Endpoint): void {
      distrustedAt.set(endpoint, performance.now());
      endpoint.noteHead(false);
    },

    isTrusted,

    /** The healthy endpoint with the freshest head, or the fastest of several. Falls back to failing ones. */
    best(except?: Endpoint): Endpoint | undefined {
      const usable = endpoints.filter(
        (endpoint) => endpoint.head !== undefined && endpoint.excluded === undefined && endpoint !== except,
      );
      const healthy = usable.filter((endpoint) => endpoint.isHealthy && isTrusted(endpoint));
      return (healthy.length > 0 ? healthy : usable).toSorted(
        (a, b) => (b.head as number) - (a.head as number) || a.expectedMs - b.expectedMs,
      )[0];
    },
  };
}

type LeaderOptions = {
  heads: Heads;
  pollingMs: number;
  /** Called with each head of the leader. */
  onHead: (header: Header, leader: Endpoint) => void;
  /** Whether a subscription is currently delivering heads, so that the leader need not be polled. */
  isSubscribed: () => boolean;
  log: (line: string, level?: "warn") => void;
};

/** Blocks. An endpoint that is further ahead than this replaces the leader. */
export const maxLag = 2;
/** So does one that is ahead by less in this many refreshes in a row. */
const maxTimesBehind = 3;
/** Polls of the leader between refreshes of all endpoints' heads. */
const pollsPerRefresh = 5;
/** The share of the leader's rate limit that polls may use. The rest is for preparing blocks. */
const maxRateShare = 0.5;

/**
 * Follows the head of one endpoint, the leader, until it fails, is late or falls behind. Following whichever endpoint is ahead
 * would switch back and forth between endpoints on different forks.
 */
export function createLeader({ heads, pollingMs, onHead, isSubscribed, log }: LeaderOptions) {
  let leader: Endpoint | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Refreshes in a row in which another endpoint was ahead. */
  let behindFor = 0;
  const stopping = new AbortController();

  /** How many blocks the best endpoint is ahead of the leader. */
  const lag = () => (heads.best()?.head ?? 0) - (leader?.head ?? Number.NEGATIVE_INFINITY);

  /** Milliseconds between polls. */
  const pollMs = () =>
    Math.max(pollingMs, 1_000 / (maxRateShare * (leader?.rate ?? Number.POSITIVE_INFINITY)));

  async function refreshHeads(hung?: Endpoint): Promise<void> {
    lookedAt = performance.now();
    await heads.refresh(hung);
    behindFor = lag() > 0 ? behindFor + 1 : 0;
  }

  /** Chooses another leader if the current one has failed or is behind. */
  function choose(hasFailed: boolean): void {
    const best = heads.best(hasFailed ? leader : undefined);
    if (best === undefined || best === leader) return;
    const isBetter = hasFailed ? best.isHealthy : lag() > maxLag || behindFor >= maxTimesBehind;
    if (!isBetter) return;
    if (leader !== undefined)
      log(`following ${best.name}: ${leader.name} ${whyReplaced(heads, leader, hasFailed)}`);
    leader = best;
    behindFor = 0;
  }

  async function round(): Promise<void> {
    if (performance.now() - lookedAt >= pollsPerRefresh * pollMs()) {
      const looking = refreshHeads();
      if (leader === undefined) await looking;
    }
    if (isSubscribed()) return;
    const header = leader && (await within(leader.lateAfterMs, heads.poll(leader)));
    if (header === undefined) await refreshHeads(leader);
    choose(leader !== undefined && (header === undefined || !heads.isTrusted(leader)));
    const head = leader && heads.latestOf(leader);
    if (leader !== undefined && head !== undefined) onHead(head, leader);
  }

  return {
    /** Follows until `stop` is called. */
    async run(): Promise<void> {
      while (!stopping.signal.aborted) {
        const startedAt = performance.now();
        await round();
        const rest = Math.max(0, pollMs() - (performance.now() - startedAt));
        await pause(rest, stopping.signal);
      }
    },
    stop: () => stopping.abort(),
  };
}

/** Describes why a leader was replaced. One without a head in time has either failed or become slow. */
function whyReplaced(heads: Heads, leader: Endpoint, hasFailed: boolean): string {
  if (!heads.isTrusted(leader))
    return `says that block ${leader.head} is the newest, and no endpoint has that block`;
  if (!hasFailed) return "is behind";
  return leader.isHealthy ? "is late" : "failed";
}

export type HeadSocketOptions = {
  url: string;
  /** For logs: never the URL, which may contain a key. */
  name: string;
  onHead: (header: Header) => void;
  log: (line: string, level?: "warn") => void;
  /** Milliseconds between pings. A connection that received nothing since the last ping is closed. Default: 10,000. */
  heartbeatMs?: number;
  /** Milliseconds before the first reconnection, doubled with each that fails up to 30 seconds. Default: 500. */
  backoffMs?: number;
};

const maxBackoffMs = 30_000;
/** Bytes. A header has a few thousand. */
const maxPayload = 1_024 * 1_024;
/** New blocks in a row that came from elsewhere alone: 9 seconds of BNB Smart Chain. */
const maxUnsent = 20;
/** Blocks that are remembered, since some come from elsewhere first. */
const maxRemembered = 256;

/** The endpoint doesn't announce new blocks, for example since its plan lacks subscriptions. */
class Refusal extends Error {}

/** Subscribes to an endpoint's new heads, and resubscribes whenever the connection is lost or sends none of the chain. */
export function subscribeToHeads(options: HeadSocketOptions) {
  const { url, name, onHead, log, heartbeatMs = 10_000, backoffMs = 500 } = options;
  let socket: WebSocket | undefined;
  let failures = 0;
  let isAlive = false;
  /** New blocks of the chain since the last one that was sent, or since the subscription began. */
  let unsent = 0;
  const sent = new LRUCache<Hex, true>({ max: maxRemembered });
  const ofChain = new LRUCache<Hex, true>({ max: maxRemembered });
  /** Why the connection was lost, in brackets. */
  let why = "";
  const logProblem = createChangeLog(log);
  const redact = createRedact(url);
  let reconnecting: NodeJS.Timeout | undefined;

  function connect(): void {
    const opening = new WebSocket(url, { maxPayload, handshakeTimeout: heartbeatMs, followRedirects: false });
    socket = opening;
    isAlive = true;
    unsent = 0;
    why = "";
    opening.on("open", () => {
      opening.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }));
    });
    opening.on("pong", () => {
      isAlive = true;
    });
    opening.on("message", (data) => {
      isAlive = true;
      try {
        receive(JSON.parse(String(data)));
      } catch (error) {
        const problem =
          error instanceof Refusal
            ? `the endpoint refuses the subscription to new blocks: ${redact(error.message)}`
            : "a message that is no header of a new block";
        logProblem(`${name}: ${problem}`, "warn");
        opening.terminate();
      }
    });
    // "close" follows.
    opening.on("error", ({ message, code }: NodeJS.ErrnoException) => {
      // A system error's message has the address.
      why = ` (${code ?? redact(message)})`;
    });
    opening.on("close", () => {
      if (socket !== opening) return;
      const backoff = Math.min(maxBackoffMs, backoffMs * 2 ** failures++);
      if (failures === 1)
        log(`${name}: the subscription to new blocks was lost${why}, polling until it is back`, "warn");
      reconnecting = setTimeout(connect, backoff * (0.5 + Math.random() / 2));
    });
  }

  function receive(message: {
    id?: number;
    error?: { message?: unknown } | null;
    method?: string;
    params?: { result: unknown };
  }) {
    if (message.error != null) throw new Refusal(String(message.error.message).slice(0, 200));
    if (message.method !== "eth_subscription") return;
    const header = readHeader(message.params?.result);
    logProblem("");
    const isRepeated = sent.has(header.hash);
    sent.set(header.hash, true);
    if (!isRepeated && ofChain.has(header.hash)) noteSent();
    onHead(header);
  }

  /** Notes that a block of the chain was sent. One on another chain sends blocks, too, and would be asked for each of them. */
  function noteSent(): void {
    failures = 0;
    unsent = 0;
  }

  const heartbeat = setInterval(() => {
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (!isAlive) {
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
  }, heartbeatMs);

  connect();

  return {
    /** Counts a new block of the chain, from wherever it came. */
    noteBlock(hash: Hex): void {
      ofChain.set(hash, true);
      if (sent.has(hash)) noteSent();
      else if (socket?.readyState === WebSocket.OPEN) unsent++;
      if (unsent <= maxUnsent) return;
      why = " (it sends no blocks of this chain)";
      socket?.terminate();
    },

    stop(): void {
      clearInterval(heartbeat);
      clearTimeout(reconnecting);
      const last = socket;
      socket = undefined;
      last?.terminate();
    },
  };
}
