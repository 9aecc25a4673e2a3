import { createLaunchpadClient, LaunchpadError } from "../../client/src/index.ts";

/* A tour of the typed client, the same in every runtime: Node, Bun and browsers. */

export type TourInput = { baseUrl: string; mint: string; account: string };

export type TourResult = Awaited<ReturnType<typeof tour>>;

/** Reads all pages of a list, a quote, an error, and three trades from the stream. Calls `onReady` once the stream is connected. */
export async function tour({ baseUrl, mint, account }: TourInput, onReady: () => void) {
  const launchpad = createLaunchpadClient({ baseUrl });

  const trades: string[] = [];
  for await (const { id } of launchpad.trades({ mint, limit: 2 })) trades.push(id);

  const order = { side: "buy", amount: String(10n ** 15n), account } as const;
  const { quote, calls } = await launchpad.quote(mint, order);

  const unknown = await launchpad.quote(`0x${"9".repeat(40)}`, order).catch((error: unknown) => error);

  const streamed: string[] = [];
  for await (const event of launchpad.stream({ mint, kind: "trade", onReady })) {
    if (event.kind === "trade") streamed.push(event.tx);
    if (streamed.length === 3) break;
  }

  return {
    runtime: navigator.userAgent,
    trades,
    minAmountOut: quote.minAmountOutRaw,
    // JSON has no bigint.
    calls: calls().map(({ value, gas, ...call }) => ({ ...call, value: String(value), gas: String(gas) })),
    error: unknown instanceof LaunchpadError ? unknown.code : String(unknown),
    streamed,
  };
}
