import { shareRun } from "../../config/async.ts";
import { EndpointFault, wrong } from "../endpoint/fault.ts";
import { chunk } from "../endpoint/limits.ts";
import type { LogReader } from "../history/read-logs.ts";
import { createSecondOpinion, Disagreement, findDifference } from "../history/second-opinion.ts";
import { type Anchor, readFinalHeader } from "../pool/anchor.ts";
import type { Pool } from "../pool/pool.ts";
import { checkLogs, getLogs, type Hex, type Log, type LogFilter, type Range } from "../sources/log.ts";
import { createPortalClient, maxAddresses, type PortalBlock, type PortalClient } from "./client.ts";

export type PortalOptions = {
  /** The dataset's URL, such as https://portal.sqd.dev/datasets/binance-mainnet. May contain a key. */
  url: string;
  /** Milliseconds without a byte after which a request fails. Default: 30,000. */
  idleMs?: number;
  /** Milliseconds to leave the portal alone after a fault, doubled with each further one. Default: 30,000. */
  retryMs?: number;
};

const maxRetryMs = 600_000;
/** Milliseconds before a portal that lacked blocks is asked for them again. */
const behindMs = 30_000;

type Portal = ReturnType<typeof createPortal>;

/**
 * A portal of the SQD Network, with its health: after a fault it is left alone for a while.
 *
 * @param log called when it starts failing, and when it answers again
 */
export function createPortal(
  { url, idleMs = 30_000, retryMs = 30_000 }: PortalOptions,
  log: (line: string, level?: "warn") => void,
) {
  const client = createPortalClient({ url, idleMs });
  let faults = 0;
  let lastFault = "";
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let behind = { head: Number.POSITIVE_INFINITY, until: 0 };

  /** Leaves the portal alone for a while. Faults during that time don't count. */
  function pause(fault: EndpointFault): void {
    const now = performance.now();
    lastFault = fault.message;
    if (now < pausedUntil) return;
    const backoff = Math.min(maxRetryMs, retryMs * 2 ** faults++);
    pausedUntil = now + Math.max(backoff, fault.retryAfterMs ?? 0);
  }

  const portal = {
    name: "portal",
    counts: client.counts,
    limits: { blocks: Number.POSITIVE_INFINITY, addresses: maxAddresses },
    rate: 2,
    /** Why it must not be used; undefined if it may be. */
    excluded: undefined as string | undefined,
    /** The last block that it has; undefined if it hasn't said so lately, since it is only asked while history is read. */
    get head(): number | undefined {
      return performance.now() < behind.until ? behind.head : undefined;
    },

    /** Whether it answers. Only while history is read is it asked again, so that a fault of long ago says nothing. */
    get isHealthy(): boolean {
      return faults === 0 || performance.now() > pausedUntil + maxRetryMs;
    },
    hasFalseHead: false,
    get lastFault(): string {
      return lastFault;
    },

    /** The beginning of a range that it is worth asking for; undefined if there is none. */
    worthAsking({ from, to }: Range): Range | undefined {
      const now = performance.now();
      const last = now < behind.until ? Math.min(to, behind.head) : to;
      return now < pausedUntil || last < from ? undefined : { from, to: last };
    },

    /**
     * Reads all logs of a range.
     *
     * @throws EndpointFault
     */
    async read(filter: LogFilter, range: Range): Promise<FoundLogs> {
      const { addresses } = filter;
      const parts =
        addresses === undefined
          ? [filter]
          : chunk(addresses, maxAddresses).map((part) => ({ ...filter, addresses: part }));
      const readLogs: FoundLogs[] = [];
      // In turn, because each answer may be as large as the limits allow.
      for (const part of parts) readLogs.push(await readRange(client, part, range));
      const [{ last }] = readLogs as [FoundLogs];
      return { logs: readLogs.flatMap(({ logs }) => logs), last };
    },

    /** Reports a correct answer. */
    succeeded(): void {
      if (faults === 0 || performance.now() < pausedUntil) return;
      log("portal answers again");
      faults = 0;
    },

    /** Reports a fault. */
    failed(fault: EndpointFault): void {
      if (fault.kind === "unfit") {
        if (performance.now() >= behind.until)
          log(`portal has blocks up to ${fault.limit}: later ones are read from the RPC endpoints`);
        behind = { head: fault.limit ?? -1, until: performance.now() + behindMs };
        return;
      }
      if (portal.isHealthy)
        log(`portal fails: ${fault.message}. History is read from the RPC endpoints meanwhile`, "warn");
      pause(fault);
    },

    /** Reports that an answer was false. */
    reportInvalidAnswer: pause,
  };
  return portal;
}

/** Milliseconds for which a successful check is trusted. */
const trustMs = 60_000;

/**
 * Creates a check that the portal is on the same chain as the RPC endpoints, by comparing a block from its answer. It runs with
 * the first answer, once in a while, and after each fault.
 */
function createChainCheck(pool: Pool, portal: Portal) {
  let trustedUntil = Number.NEGATIVE_INFINITY;

  const compare = shareRun(async ({ number, hash }: Anchor): Promise<void> => {
    const { hash: ours } = await readFinalHeader(pool, number, number);
    portal.excluded =
      hash === ours ? undefined : `it is on another chain: its block ${number} is ${hash}, and ours ${ours}`;
    if (portal.excluded !== undefined) throw wrong(portal.excluded);
    trustedUntil = performance.now() + trustMs;
  });

  /** @throws EndpointFault of kind "wrong" if the portal is on another chain */
  return async (anchor: Anchor): Promise<void> => {
    if (performance.now() < trustedUntil && portal.isHealthy) return;
    await compare(anchor);
  };
}

/** Requests per range, since an answer may end before the range does, and blocks of a range. */
const maxRequests = 50;
const maxBlocks = 1_000_000;
/** How often to retry after "too many requests", and the longest wait in milliseconds that is worth it. */
const maxRefusals = 3;
const maxWaitMs = 10_000;

type FoundLogs = {
  logs: Log[];
  /** The last block of the range. */
  last: Pick<PortalBlock, "number" | "hash">;
};

/**
 * Reads all logs of a range in as many requests as it takes: where one answer ends or is cut off, the next request starts.
 *
 * @throws EndpointFault if the end of the range is not reached
 */
async function readRange(client: PortalClient, filter: LogFilter, range: Range): Promise<FoundLogs> {
  const logs: Log[] = [];
  let last: PortalBlock | undefined;
  let refusals = 0;
  for (let requests = 0; requests < maxRequests; requests++) {
    const next = last === undefined ? range.from : last.number + 1;
    const previousLast = last;
    try {
      for await (const block of client.stream(filter, { from: next, to: range.to })) {
        for (const log of block.logs) logs.push(log);
        last = block;
      }
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      const waitMs = error.retryAfterMs ?? maxWaitMs;
      const isWaitedFor = error.kind === "rate" && waitMs <= maxWaitMs && refusals++ < maxRefusals;
      const isCutOff = (error.kind === "server" || error.kind === "timeout") && last !== previousLast;
      if (!isWaitedFor && !isCutOff) throw error;
      continue;
    }
    if (last === undefined || last === previousLast)
      throw new EndpointFault("server", "an answer without blocks");
    if (last.number === range.to) return { logs, last };
  }
  throw new EndpointFault("server", `no end of a range in ${maxRequests} answers`);
}

/** The share of the portal's answers that are compared with the RPC endpoints'. */
const defaultShare = 0.01;
/** Milliseconds between comparisons of answers without logs, which a portal that lacks the logs would give too. */
const compareEmptyMs = 60_000;
const maxRemembered = 100;

type PortalLogsDeps = {
  portal: Portal;
  /** Reads logs from the RPC endpoints instead. */
  rpc: LogReader;
  pool: Pool;
  /** Logs a line unless there was one about the same subject recently. */
  logThrottled: (subject: string, what: string) => void;
  share?: number | undefined;
};

/** Reads logs from a portal, falling back to the RPC endpoints if it does not answer, or answers wrongly. */
export function createPortalLogs({
  portal,
  rpc,
  pool,
  logThrottled,
  share = defaultShare,
}: PortalLogsDeps): LogReader {
  const checkChain = createChainCheck(pool, portal);
  const decide = createSecondOpinion(pool, 1);
  const distrusted: Range[] = [];
  let emptyComparedAt = Number.NEGATIVE_INFINITY;

  const isDistrusted = (range: Range) =>
    distrusted.some(({ from, to }) => from <= range.to && to >= range.from);

  /** Asks the portal. Returns undefined if it has no plausible answer. */
  async function ask(filter: LogFilter, range: Range): Promise<Log[] | undefined> {
    try {
      const { logs, last } = await portal.read(filter, range);
      checkLogs(logs, filter, range);
      await checkChain(last);
      portal.succeeded();
      return logs;
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      portal.failed(error);
      return undefined;
    }
  }

  function shouldCompare(logs: readonly Log[]): boolean {
    if (Math.random() < share) return true;
    if (logs.length > 0 || performance.now() - emptyComparedAt < compareEmptyMs) return false;
    emptyComparedAt = performance.now();
    return true;
  }

  /**
   * Compares the portal's logs with the RPC endpoints' and returns the right ones. If they differ, two endpoints decide about one
   * contract in one block.
   */
  async function compareWithRpc(filter: LogFilter, range: Range, logs: Log[]): Promise<Log[]> {
    const others = await rpc.read(filter, range);
    const disputed = findDifference(logs, others);
    if (disputed === undefined) return logs;
    return (await isRight(disputed, filter, logs)) ? logs : others;
  }

  async function isRight(disputed: Log, { topics }: LogFilter, logs: Log[]): Promise<boolean> {
    const { blockNumber } = disputed;
    const address = disputed.address.toLowerCase() as Hex;
    const filter = { addresses: [address], topics };
    const range = { from: Number(blockNumber), to: Number(blockNumber) };
    const ofPortal = logs.filter((log) => log.blockNumber === blockNumber && log.address === address);
    const read = ([answer]: readonly unknown[]) => checkLogs(answer, filter, range);
    try {
      const asked = { calls: [getLogs(filter, range)], range, canAsk: () => true, read };
      const decided = await decide(asked, { logs: ofPortal, endpoint: portal });
      return findDifference(ofPortal, decided) === undefined;
    } catch (error) {
      if (!(error instanceof Disagreement)) throw error;
      portal.failed(wrong(`other logs of block ${range.from} than an RPC endpoint`));
      return false;
    }
  }

  async function read(filter: LogFilter, range: Range): Promise<Log[]> {
    const begin = isDistrusted(range) ? undefined : portal.worthAsking(range);
    if (begin === undefined) return await rpc.read(filter, range);
    if (begin.to < range.to) {
      const rest = { from: begin.to + 1, to: range.to };
      return (await Promise.all([read(filter, begin), rpc.read(filter, rest)])).flat();
    }
    const logs = await ask(filter, range);
    // After a fault it isn't asked for a while; one that lacks the range's end may have the beginning.
    if (logs === undefined) return await read(filter, range);
    return shouldCompare(logs) ? await compareWithRpc(filter, range, logs) : logs;
  }

  return {
    setFinal: rpc.setFinal,
    maxBlocks: () => Math.min(maxBlocks, rpc.maxBlocks()),
    read,

    /** It is not known who was wrong, so the portal is still asked for other ranges. */
    distrust(range) {
      if (!isDistrusted(range)) {
        const what = `events of blocks ${range.from} to ${range.to} don't fit together. They are read from the RPC endpoints`;
        logThrottled("portal:", what);
      }
      distrusted.push(range);
      if (distrusted.length > maxRemembered) distrusted.shift();
      rpc.distrust(range);
    },
  };
}
