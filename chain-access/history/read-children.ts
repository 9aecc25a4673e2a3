import { ignore } from "../../config/async.ts";
import type { Children } from "../sources/children.ts";
import type { Log, Range } from "../sources/log.ts";
import { childTopics, namedBy, type Sources } from "../sources/sources.ts";
import type { LogReader } from "./read-logs.ts";
import { createReadingPlan, type Reading } from "./reading-plan.ts";

/** While so many logs of later windows are in memory, some 300 MB, nothing more is read ahead. */
const maxAheadLogs = 300_000;

/** What has been asked for: its last block, and those of its logs that no window has taken yet. */
type Begun = { to: number; logs: Promise<Log[]>; count: number };

export type ChildLogs = {
  logs: Log[];
  /** How many tokens and pairs were asked for in this window alone. */
  asked: number;
  /** False once another window has shown that what was read ahead for several is wrong. */
  isTrusted: () => boolean;
};

type ChildReaderDeps = { logs: LogReader; sources: Sources; children: Children };

/** Reads the events of tokens and pairs for one window after the other, those that sleep for many windows at once. */
export function createChildReader({ logs: reader, sources, children }: ChildReaderDeps) {
  const plan = createReadingPlan(children);
  /** What was read for windows after the last one. */
  let ahead: Begun[] = [];
  /** How often what was read ahead has been dropped. */
  let drops = 0;

  function begin({ addresses, range }: Reading): Begun {
    const logs = reader.read({ addresses, topics: childTopics }, range);
    return { to: range.to, logs: logs.then(learned), count: 0 };
  }

  function learned(logs: Log[]): Log[] {
    plan.learn(logs);
    return logs;
  }

  /** Takes the logs up to a block, and leaves the later ones. */
  async function take(begun: Begun, through: number): Promise<Log[]> {
    const all = begun.logs;
    if (begun.to === through) return await all;
    begun.logs = all.then((logs) => {
      const later = logs.filter(({ blockNumber }) => Number(blockNumber) > through);
      begun.count = later.length;
      return later;
    });
    // The window that takes the others fails as well.
    begun.logs.catch(ignore);
    return (await all).filter(({ blockNumber }) => Number(blockNumber) <= through);
  }

  return {
    /**
     * Reads all events of tokens and pairs that exist at the end of a window. Call it for one window after the other, without waiting
     * for the earlier ones; after a gap, everything is asked for again.
     *
     * @param staticLogs the window's events that name tokens and pairs
     * @param until the last block that may be read ahead
     */
    async read(window: Range, staticLogs: readonly Log[], until: number): Promise<ChildLogs> {
      const dropsBefore = drops;
      const isTrusted = () => drops === dropsBefore;
      if (!plan.continuesWith(window)) ahead = [];
      for (const log of staticLogs) {
        for (const address of namedBy(sources, log)) plan.note(address, Number(log.blockNumber));
      }
      const isFull = ahead.reduce((sum, { count }) => sum + count, 0) > maxAheadLogs;
      const furthest = isFull ? window.to : Math.min(until, window.from + reader.maxBlocks() - 1);
      const readings = plan.next(window, furthest);
      // Those of a reading that ends within the window are asked for again from the window's start.
      const used = [...ahead.filter(({ to }) => to >= window.to), ...readings.map(begin)];
      ahead = used.filter(({ to }) => to > window.to);
      const logs = await Promise.all(used.map((begun) => take(begun, window.to)));
      const own = readings.filter(({ range }) => range.to === window.to);
      const asked = own.reduce((sum, { addresses }) => sum + addresses.length, 0);
      return { logs: logs.flat(), asked, isTrusted };
    },

    /** Reads a range by itself, with nothing that was read ahead. */
    async readAlone(range: Range): Promise<Log[]> {
      const addresses = children.addresses(range.to);
      return addresses.length === 0 ? [] : await reader.read({ addresses, topics: childTopics }, range);
    },

    /** Drops what was read ahead, also for windows that are being read: it can't be trusted. */
    forget(): void {
      drops++;
      plan.forget();
      ahead = [];
    },
  };
}
