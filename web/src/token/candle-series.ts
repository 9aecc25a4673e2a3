import { currentTime } from "../data/clock.ts";
import { createQueue } from "../data/queue.ts";
import type { Candle } from "./chart.tsx";

type Options = {
  /** Reads so many candles: the latest, or those up to a time in seconds since 1970. */
  read: (limit: number, to?: number) => Promise<Candle[]>;
  /** The length of a candle, in seconds. */
  length: number;
  /** Called with all candles whenever they change. `isNew` if they are others than before, of which the newest are to be shown. */
  show: (candles: Candle[], isNew: boolean) => void;
};

/** The number of candles per request. */
export const pageSize = 500;

/** The API's limit of candles per request. */
const maxCandles = 1_500;

/** The candles of a chart: the newest, those that trades change, and older ones as somebody scrolls there. */
export function createCandleSeries({ read, length, show }: Options) {
  let candles: Candle[] = [];
  let isReadingOlder = false;
  let isNewestWanted = false;
  let isStopped = false;
  const queue = createQueue();

  const put = (next: Candle[], isNew: boolean) => {
    candles = next;
    show(next, isNew);
  };
  /** One read at a time, so that a late answer neither replaces a newer one nor joins other candles than it was read for. */
  const inTurn = (work: () => Promise<void>) => queue(() => (isStopped ? undefined : work()));
  /** How many candles there may be since a time: a hidden tab, or a device that slept, has missed many. */
  const candlesSince = (time: number) => {
    const missed = Math.ceil((currentTime() / 1_000 - time) / length);
    return Math.min(maxCandles, Math.max(10, missed + 2));
  };
  const tryToRead = async (limit: number, to?: number) => {
    const answer = await read(limit, to).catch(() => undefined);
    return isStopped ? undefined : answer;
  };

  return {
    begin: (first: Candle[]): void => put(first, true),
    async readOlder(): Promise<void> {
      if (isReadingOlder || candles.length === 0) return;
      isReadingOlder = true;
      await inTurn(async () => {
        const [first] = candles;
        if (first === undefined) return;
        const answer = await tryToRead(pageSize, first.time - 1);
        if (answer === undefined) {
          // Scrolling on tries again.
          isReadingOlder = false;
          return;
        }
        // There are no older ones: isReadingOlder stays set, so that no more are requested.
        const older = answer.filter(({ time }) => time < first.time);
        if (older.length === 0) return;
        put([...older, ...candles], false);
        isReadingOlder = false;
      });
    },
    /** Reads the candles that trades may have changed. Calls before it is its turn share one read. */
    async readNewest(): Promise<void> {
      if (isNewestWanted) return;
      isNewestWanted = true;
      await inTurn(async () => {
        isNewestWanted = false;
        const last = candles.at(-1);
        const answer = await tryToRead(last === undefined ? pageSize : candlesSince(last.time));
        const [first] = answer ?? [];
        if (answer === undefined || first === undefined) return;
        // There were none yet, as before a token's first trade, or none could be read.
        if (last === undefined) return put(answer, true);
        // After a gap longer than a request, what is older is read again when someone scrolls there.
        const isGap = first.time > last.time + length;
        const older = isGap ? [] : candles.filter(({ time }) => time < first.time);
        if (isGap) isReadingOlder = false;
        put([...older, ...answer], isGap);
      });
    },
    /** Answers that come after this change nothing. */
    stop(): void {
      isStopped = true;
    },
  };
}
