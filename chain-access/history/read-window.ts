import { endpointsForLogs } from "../endpoint/endpoint.ts";
import { EndpointFault, wrong } from "../endpoint/fault.ts";
import { chunk } from "../endpoint/limits.ts";
import { headerByNumber } from "../live/block.ts";
import { checkAllLogs, checkBlockLogs } from "../live/block-logs.ts";
import { firstDoubt, readFinalHeader } from "../pool/anchor.ts";
import type { Pool } from "../pool/pool.ts";
import type { Children } from "../sources/children.ts";
import { swapsWithoutTransfer } from "../sources/events.ts";
import {
  getLogs,
  type Hex,
  halvesOf,
  hasTimestamp,
  isTime,
  type Log,
  logsWithout,
  type Range,
  rangeSize,
} from "../sources/log.ts";
import { addressIn, type Sources, staticTopics } from "../sources/sources.ts";
import { checkEvents } from "./check-events.ts";
import { createChildReader } from "./read-children.ts";
import type { LogReader } from "./read-logs.ts";

/** Everything that is stored of a range of blocks. */
export type WindowEvents = { logs: Log[]; timestamps: Map<number, number> };

export type ReadOptions = {
  /** Whether to read the events of tokens and pairs. */
  withChildren: boolean;
  /** The last block that may be read ahead, for windows that follow each other. Undefined: the range is read by itself. */
  until?: number;
};

export type WindowReader = ReturnType<typeof createWindowReader>;

export type WindowReaderDeps = { pool: Pool; logs: LogReader; sources: Sources; children: Children };

/** Reads the events of ranges of final blocks. */
export function createWindowReader({ pool, logs: reader, sources, children }: WindowReaderDeps) {
  const childReader = createChildReader({ logs: reader, sources, children });

  /** The events of the contracts that the settings name. */
  async function readStatic(addresses: readonly Hex[], range: Range): Promise<Log[]> {
    return await reader.read({ addresses, topics: staticTopics }, range);
  }

  /**
   * Adds the events of tokens and pairs to the static ones. An inconsistent range is read again in halves, which exposes
   * truncated answers, and in the end block by block, each as a whole.
   *
   * @param isTrusted asked at the end: if false, the events of tokens and pairs are read for this range alone
   */
  async function complete(
    staticLogs: readonly Log[],
    childLogs: readonly Log[],
    range: Range,
    isTrusted = () => true,
  ): Promise<Log[]> {
    const logs = [...staticLogs, ...childLogs].filter(children.isIndexed);
    const doubt = await findDoubt(logs, range);
    if (doubt !== undefined) return await readInHalves(logs, range, doubt);
    return isTrusted() ? logs : await readAlone(staticLogs, range);
  }

  async function readAlone(staticLogs: readonly Log[], range: Range): Promise<Log[]> {
    return await complete(staticLogs, await childReader.readAlone(range), range);
  }

  /** Returns what is inconsistent about the events of a range. Then nothing that was read with them is trusted. */
  async function findDoubt(logs: readonly Log[], range: Range): Promise<EndpointFault | undefined> {
    try {
      checkEvents(sources, children, logs);
      await checkSwaps(logs);
      return undefined;
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      reader.distrust(range);
      childReader.forget();
      return error;
    }
  }

  async function readInHalves(found: readonly Log[], range: Range, doubt: EndpointFault): Promise<Log[]> {
    if (rangeSize(range) === 1) {
      const check = (logs: readonly Log[]) => {
        children.learn(logs);
        checkEvents(sources, children, logs.filter(children.isIndexed));
      };
      const logs = await readWholeBlock(pool, { number: range.from, found, doubt, check });
      return logs.filter(children.isIndexed);
    }
    const parts: Log[] = [];
    // In order: the first half may create the tokens that the second transfers.
    for (const half of halvesOf(range)) {
      const again = await readStatic([sources.tokenFactory, sources.launchpad, ...sources.priceFeeds], half);
      children.learn(again);
      for (const log of await readAlone(again, half)) parts.push(log);
    }
    return parts;
  }

  /**
   * Reads all logs of the blocks in which a swap has no transfer. No log before a swap can be missing among all logs of its block,
   * so what is in them is true. Such swaps cost a request each, and don't have the whole range read again.
   *
   * @throws EndpointFault of kind "wrong" if logs were missing
   */
  async function checkSwaps(logs: readonly Log[]): Promise<void> {
    const blocks = Map.groupBy(swapsWithoutTransfer(logs, children), ({ swap }) => Number(swap.blockNumber));
    const missing = await Promise.all(
      [...blocks.keys()].map(async (number) => {
        const doubt = wrong(`a swap without its transfer in block ${number}`);
        const ofBlock = logs.filter(({ blockNumber }) => Number(blockNumber) === number);
        const whole = await readWholeBlock(pool, { number, found: ofBlock, doubt, check: () => {} });
        return whole.filter(children.isIndexed).length > ofBlock.length ? doubt : undefined;
      }),
    );
    const doubt = missing.find((fault) => fault !== undefined);
    if (doubt !== undefined) throw doubt;
  }

  return {
    readStatic,
    maxBlocks: reader.maxBlocks,

    /**
     * Reads all events of a range.
     *
     * @param staticLogs the result of {@link readStatic}, from which the tokens and pairs have been learned
     * @returns with `asked`, the number of tokens and pairs that were asked for in this range alone
     */
    async read(
      staticLogs: readonly Log[],
      range: Range,
      { withChildren, until }: ReadOptions,
    ): Promise<WindowEvents & { asked: number }> {
      const { logs, asked } = withChildren
        ? await readAll(staticLogs, range, until)
        : { logs: staticLogs.filter(children.isIndexed), asked: 0 };
      return { logs, asked, timestamps: await readTimestamps(pool, logs, range.from) };
    },
  };

  async function readAll(
    staticLogs: readonly Log[],
    range: Range,
    until: number | undefined,
  ): Promise<{ logs: Log[]; asked: number }> {
    if (until === undefined) return { logs: await readAlone(staticLogs, range), asked: children.count };
    const { logs, asked, isTrusted } = await childReader.read(range, staticLogs, until);
    return { logs: await complete(staticLogs, logs, range, isTrusted), asked };
  }
}

/** Addresses in a filter. */
const maxAddresses = 1_000;
/** Calls in a batch. */
const batchSize = 20;

type Header = { hash?: string; timestamp?: string } | null;

/**
 * Reads the timestamps of blocks whose logs don't have them.
 *
 * @returns seconds since 1970 by block number
 */
export async function readTimestamps(
  pool: Pool,
  logs: readonly Log[],
  priority: number,
): Promise<Map<number, number>> {
  const first = new Map<number, Log>();
  for (const log of logs) if (!hasTimestamp(log)) first.set(Number(log.blockNumber), log);
  const parts = chunk([...first.values()], batchSize);
  const timestamps = await Promise.all(parts.map((part) => readPart(pool, part, priority)));
  return new Map(timestamps.flat());
}

async function readPart(pool: Pool, logs: Log[], priority: number): Promise<[number, number][]> {
  const calls = logs.map(({ blockNumber }) => headerByNumber(Number(blockNumber)));
  const read = (results: unknown[]): [number, number][] =>
    logs.map(({ blockNumber, blockHash }, index) => {
      const header = results[index] as Header;
      const number = Number(blockNumber);
      const time = Number(header?.timestamp);
      if (header?.hash !== blockHash) throw wrong(`another block ${number} than that of its logs`);
      if (!isTime(time)) throw wrong(`block ${number} without a plausible time`);
      return [number, time];
    });
  const { results } = await pool.send(calls, {
    priority,
    block: Math.max(...logs.map(({ blockNumber }) => Number(blockNumber))),
    check: (results) => void read(results),
  });
  return read(results);
}

type WholeBlockOptions = {
  number: number;
  /** The logs that were read so far, which must be from the same block. */
  found: readonly Log[];
  /** The contracts whose logs are read if no endpoint returns those of all. Default: those that the logs are of and name. */
  addresses?: readonly Hex[];
  /** The inconsistency that was found in them. */
  doubt: EndpointFault;
  /** Must throw an EndpointFault of kind "wrong" for logs that are inconsistent too. */
  check: (logs: readonly Log[]) => void;
};

/**
 * Reads all logs of a block whose events are inconsistent. Either an endpoint left some out, or contracts other than our own
 * emitted them like that. The header's bloom filter nearly always decides; logs that are still inconsistent are accepted if no
 * endpoint has others.
 */
async function readWholeBlock(pool: Pool, options: WholeBlockOptions): Promise<Log[]> {
  const { number, found, doubt, check, addresses = addressesIn(found) } = options;
  const header = await readFinalHeader(pool, number, number);
  if (found.some(({ blockHash }) => blockHash !== header.hash)) throw doubt;
  const isFirstDoubt = firstDoubt();
  const able = endpointsForLogs(pool.endpoints, ({ head = -1 }) => head >= number);
  const takesAnyAddress = able.some(({ limits }) => limits.takesAnyAddress);
  const call = getLogs({ addresses: takesAnyAddress ? undefined : addresses }, { blockHash: header.hash });
  const sent = pool.send([call], {
    priority: number,
    block: number,
    canAsk: ({ limits }) => !takesAnyAddress || limits.takesAnyAddress,
    onFault: (fault, { limits }) => limits.learn(fault, {}),
    check: ([answer], endpoint) => {
      const logs = checkBlockLogs(answer, header, {});
      if (takesAnyAddress) checkAllLogs(logs, header);
      try {
        check(logs);
      } catch (error) {
        if (!(error instanceof EndpointFault) || isFirstDoubt(endpoint)) throw error;
      }
    },
  });
  try {
    return (await sent).results[0] as Log[];
  } catch (error) {
    const isRefused = error instanceof EndpointFault && error.kind === "unfiltered";
    if (isRefused) return await readWholeBlock(pool, options);
    throw error;
  }
}

/** The contracts that have emitted these logs, and those that their topics name. */
function addressesIn(logs: readonly Log[]): Hex[] {
  const named = logs.flatMap(({ topics }) => topics.slice(1).map(addressIn));
  return [...new Set([...logs.map(({ address }) => address.toLowerCase() as Hex), ...named])].slice(
    0,
    maxAddresses,
  );
}

/** Returns those logs that are not in their blocks, read as a whole: answers about ranges may have lost the others. */
export async function findAbsent(pool: Pool, logs: readonly Log[]): Promise<Log[]> {
  const absent: Log[] = [];
  for (const [number, ofBlock] of Map.groupBy(logs, ({ blockNumber }) => Number(blockNumber))) {
    const doubt = wrong(`block ${number} without a log that it had`);
    const whole = await readWholeBlock(pool, {
      number,
      found: [],
      addresses: addressesIn(ofBlock),
      doubt,
      check() {},
    });
    absent.push(...logsWithout(ofBlock, whole));
  }
  return absent;
}
