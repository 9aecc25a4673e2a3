import { type Api, pause } from "./api.ts";
import type { components } from "./api-types.ts";
import {
  eventKinds,
  isPermanent,
  maxPauseMs,
  minPauseMs,
  type StreamEvent,
  type StreamQuery,
} from "./stream.ts";
import { readToken } from "./tokens.ts";

export type Token = components["schemas"]["TokenDetails"];

type Deps = { api: Api; stream: (query: StreamQuery) => AsyncGenerator<StreamEvent, void, void> };

/**
 * Yields the current state of a token, and again after each of its events, together with the event. If events arrive faster than
 * they are read, the token is fetched once for all of them and yielded with the last one.
 */
export async function* watchToken(
  { api, stream }: Deps,
  mint: string,
  { chainId, signal }: Pick<StreamQuery, "chainId" | "signal">,
): AsyncGenerator<{ token: Token; event: StreamEvent | undefined }, void, void> {
  const closing = new AbortController();
  const close = () => closing.abort(signal?.reason);
  signal?.addEventListener("abort", close, { once: true });
  if (signal?.aborted) close();

  const connected = Promise.withResolvers<void>();
  let latest: StreamEvent | undefined;
  let news = Promise.withResolvers<void>();
  const reading = (async () => {
    const events = stream({
      mint,
      chainId,
      // Who holds the token, and its liquidity, change with those that must be asked for.
      kind: eventKinds,
      signal: closing.signal,
      onReady: connected.resolve,
    });
    for await (const event of events) {
      latest = event;
      news.resolve();
    }
  })();
  const over = reading.then(() => "over" as const);
  over.catch(reportedByRace);

  const readNow = readToken(api, closing.signal);
  /** Reads the token, again after a failure that another attempt may avoid: the stream goes on after those, too. */
  async function read(minBlock: number | undefined): Promise<Token | "over"> {
    let pauseMs = minPauseMs;
    while (!closing.signal.aborted) {
      try {
        return await readNow(mint, { chainId, minBlock });
      } catch (error) {
        if (!closing.signal.aborted && isPermanent(error, true)) throw error;
      }
      await pause(pauseMs, closing.signal).catch(endOfLoop);
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    }
    return "over";
  }

  try {
    // The stream is connected first: everything that happens after this read arrives as an event.
    if ((await Promise.race([connected.promise, over])) === "over") return;
    let event: StreamEvent | undefined;
    for (;;) {
      // A registration has no block.
      const block = event !== undefined && "block" in event && !event.removed ? event.block : undefined;
      const token = await Promise.race([read(block), over]);
      if (token === "over") return;
      yield { token, event };
      if ((await Promise.race([news.promise, over])) === "over") return;
      news = Promise.withResolvers();
      event = latest;
    }
  } finally {
    signal?.removeEventListener("abort", close);
    closing.abort();
    await reading.catch(reportedByRace);
  }
}

/** Prevents an unhandled rejection: the race above throws the stream's error. */
const reportedByRace = () => {};
/** The loop checks the signal itself. */
const endOfLoop = () => {};
