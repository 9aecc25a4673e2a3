import type { Api } from "./api.ts";
import { dataOf } from "./api.ts";
import type { components } from "./api-types.ts";
import type { StreamQuery } from "./stream.ts";
import type { StreamEvent } from "./stream-event.ts";

export type Token = components["schemas"]["Token"];

type Deps = { api: Api; stream: (query: StreamQuery) => AsyncGenerator<StreamEvent, void, void> };

/**
 * Yields a token as it is, and again after each of its events, with the event. Where events come faster than they are read,
 * the token is asked for once for all of them, and the last event comes with it.
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
    const events = stream({ mint, chainId, signal: closing.signal, onReady: connected.resolve });
    for await (const event of events) {
      latest = event;
      news.resolve();
    }
  })();
  const over = reading.then(() => "over" as const);
  over.catch(leaveToWhoeverWaits);

  const read = (minBlock: number | undefined) =>
    dataOf(api.GET("/api/token/{mint}", { params: { path: { mint }, query: { chainId, minBlock } } }));

  try {
    // What happens after this look at the token comes as an event.
    if ((await Promise.race([connected.promise, over])) === "over") return;
    yield { token: await read(undefined), event: undefined };
    for (;;) {
      if ((await Promise.race([news.promise, over])) === "over") return;
      news = Promise.withResolvers();
      const event = latest;
      // A registration has no block.
      const block = event !== undefined && "block" in event && !event.removed ? event.block : undefined;
      yield { token: await read(block), event };
    }
  } finally {
    signal?.removeEventListener("abort", close);
    closing.abort();
    await reading.catch(leaveToWhoeverWaits);
  }
}

/** Whoever waits for the stream has got its error. */
const leaveToWhoeverWaits = () => {};
