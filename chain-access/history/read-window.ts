import { EndpointFault } from "../endpoint/fault.ts";
import type { Pool } from "../pool/pool.ts";
import type { Children } from "../sources/children.ts";
import { type Hex, type Log, type Range, rangeSize } from "../sources/log.ts";
import { childTopics, type Sources, staticTopics } from "../sources/sources.ts";
import { swapsWithoutTransfer } from "../sources/swaps.ts";
import { checkEvents } from "./check-events.ts";
import type { LogReader } from "./read-logs.ts";
import { readTimestamps } from "./read-timestamps.ts";
import { readWholeBlock } from "./read-whole-block.ts";

/** Everything that is stored of a range of blocks. */
export type WindowEvents = { logs: Log[]; timestamps: Map<number, number> };

export type WindowReader = ReturnType<typeof createWindowReader>;

export type WindowReaderDeps = { pool: Pool; logs: LogReader; sources: Sources; children: Children };

/** Reads the events of ranges of final blocks. */
export function createWindowReader({ pool, logs: reader, sources, children }: WindowReaderDeps) {
  /** The events of the contracts that the settings name. */
  async function readStatic(addresses: readonly Hex[], range: Range): Promise<Log[]> {
    return await reader.read({ addresses, topics: staticTopics }, range);
  }

  /** The events of tokens and pairs that are known by the end of the range. */
  async function readChildren(range: Range): Promise<Log[]> {
    const addresses = children.addresses(range.to);
    return addresses.length === 0 ? [] : await reader.read({ addresses, topics: childTopics }, range);
  }

  /**
   * Adds the events of tokens and pairs to the static ones. An inconsistent range is read again in halves, which exposes
   * truncated answers, and in the end block by block, each as a whole.
   */
  async function complete(staticLogs: readonly Log[], range: Range): Promise<Log[]> {
    const found = [...staticLogs, ...(await readChildren(range))].filter(children.isIndexed);
    try {
      checkEvents(sources, found);
      await checkSwaps(found);
      return found;
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      reader.distrust(range);
      if (rangeSize(range) === 1) {
        const check = (logs: readonly Log[]) => {
          children.learn(logs);
          checkEvents(sources, logs.filter(children.isIndexed));
        };
        const logs = await readWholeBlock(pool, { number: range.from, found, doubt: error, check });
        return logs.filter(children.isIndexed);
      }
      const middle = range.from + Math.floor(rangeSize(range) / 2);
      const halves = [
        { from: range.from, to: middle - 1 },
        { from: middle, to: range.to },
      ];
      const parts: Log[] = [];
      // In order: the first half may create the tokens that the second transfers.
      for (const half of halves) {
        const again = await readStatic(
          [sources.tokenFactory, sources.launchpad, ...sources.priceFeeds],
          half,
        );
        children.learn(again);
        for (const log of await complete(again, half)) parts.push(log);
      }
      return parts;
    }
  }

  /**
   * Reads all logs of the blocks in which a swap has no transfer. No log before a swap can be missing among all logs of its block,
   * so what is in them is true. Such swaps cost a request each, and don't have the whole range read again.
   *
   * @throws EndpointFault of kind "wrong" if logs were missing
   */
  async function checkSwaps(found: readonly Log[]): Promise<void> {
    const blocks = Map.groupBy(swapsWithoutTransfer(found, children), ({ swap }) => Number(swap.blockNumber));
    const missing = await Promise.all(
      [...blocks.keys()].map(async (number) => {
        const doubt = new EndpointFault("wrong", `a swap without its transfer in block ${number}`);
        const ofBlock = found.filter(({ blockNumber }) => Number(blockNumber) === number);
        const whole = await readWholeBlock(pool, { number, found: ofBlock, doubt, check: () => {} });
        return whole.filter(children.isIndexed).length > ofBlock.length ? doubt : undefined;
      }),
    );
    const doubt = missing.find((fault) => fault !== undefined);
    if (doubt !== undefined) throw doubt;
  }

  return {
    readStatic,

    /**
     * Reads all events of a range.
     *
     * @param staticLogs the result of {@link readStatic}, from which the tokens and pairs have been learned
     * @param withChildren whether to read the events of tokens and pairs
     */
    async read(staticLogs: readonly Log[], range: Range, withChildren: boolean): Promise<WindowEvents> {
      const logs = withChildren ? await complete(staticLogs, range) : staticLogs.filter(children.isIndexed);
      return { logs, timestamps: await readTimestamps(pool, logs, range.from) };
    },
  };
}
