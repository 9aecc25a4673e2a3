import { useEffect, useRef } from "preact/hooks";
import { chainId } from "../data/chain.ts";
import { api, client, dataOf, type StreamEvent } from "../data/client.ts";
import { createEventList, type EventList, type Logged } from "../data/event-list.ts";
import { useResource } from "../data/resource.ts";

/** The resources of a token's page, each with its own key. */

/** The lengths of candles that the chart offers, in seconds. */
export const candleSeconds = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "1h": 3_600,
  "4h": 14_400,
  "1d": 86_400,
  "1w": 604_800,
};
export type CandleInterval = keyof typeof candleSeconds;

const chain = () => chainId.peek();
const key = (what: string, mint: string) => `${what} ${mint} ${chainId.value ?? ""}`;

const readToken = (mint: string) => client.token(mint, { chainId: chain() });
const readCurve = (mint: string) =>
  dataOf(api.GET("/api/curve/{mint}", { params: { path: { mint }, query: { chainId: chain() } } }));
export const readCandles = (mint: string, interval: CandleInterval, limit: number, to?: number) =>
  dataOf(
    api.GET("/api/token/{mint}/candles", {
      params: { path: { mint }, query: { interval, limit, to: to?.toString(), chainId: chain() } },
    }),
  );
const readHolders = (mint: string, page: number) =>
  dataOf(
    api.GET("/api/token/{mint}/holders", {
      params: { path: { mint }, query: { chainId: chain(), limit: 50, page } },
    }),
  );

const readRegistrations = (mint: string) =>
  dataOf(
    api.GET("/api/token/{mint}/registrations", { params: { path: { mint }, query: { chainId: chain() } } }),
  );

const readTrades = (mint: string, cursor?: string) =>
  dataOf(
    api.GET("/api/token/{mint}/trades", {
      params: { path: { mint }, query: { chainId: chain(), limit: 40, cursor } },
    }),
  );
const readTradesOf = (trader: string, mint: string, cursor?: string) =>
  dataOf(
    api.GET("/api/trades", { params: { query: { mint, trader, chainId: chain(), limit: 40, cursor } } }),
  );
const readTransfers = (mint: string, cursor?: string) =>
  dataOf(
    api.GET("/api/token/{mint}/transfers", {
      params: { path: { mint }, query: { chainId: chain(), limit: 40, cursor } },
    }),
  );
const readTraders = (mint: string, sort: TraderOrder) =>
  dataOf(
    api.GET("/api/token/{mint}/traders", {
      params: { path: { mint }, query: { chainId: chain(), limit: 50, sort } },
    }),
  );
const readLiquidity = (mint: string, cursor?: string) =>
  dataOf(
    api.GET("/api/token/{mint}/liquidity", {
      params: { path: { mint }, query: { chainId: chain(), limit: 100, cursor } },
    }),
  );

export type TokenDetails = Awaited<ReturnType<typeof readToken>>;
export type RegistrationVersion = Awaited<ReturnType<typeof readRegistrations>>["versions"][number];
export type Curve = Awaited<ReturnType<typeof readCurve>>;
export type Candle = Awaited<ReturnType<typeof readCandles>>["candles"][number];
export type HoldersPage = Awaited<ReturnType<typeof readHolders>>;
export type Holder = HoldersPage["holders"][number];
export type Trade = Awaited<ReturnType<typeof readTrades>>["trades"][number];
/** A transfer, without the name that the page shows already, and that events may lack. */
export type Transfer = Omit<
  Awaited<ReturnType<typeof readTransfers>>["transfers"][number],
  "name" | "symbol"
>;
export type Trader = Awaited<ReturnType<typeof readTraders>>["traders"][number];
type TraderOrder = "realised" | "unrealised" | "volume" | "bought" | "sold";
export type LiquidityChange = Awaited<ReturnType<typeof readLiquidity>>["liquidity"][number];

export const useToken = (mint: string) => useResource(key("token", mint), () => readToken(mint));
/** What the token's registration said before, read again when what it says has changed. */
export const useRegistrations = (token: TokenDetails) => {
  const { mint, description, websiteUrl, twitterUrl, telegramUrl, imageUrl } = token;
  const said = [description, websiteUrl, twitterUrl, telegramUrl, imageUrl].join();
  return useResource(key(`registrations ${said}`, mint), () => readRegistrations(mint));
};
export const useCurve = (mint: string) => useResource(key("curve", mint), () => readCurve(mint));
export const useHolders = (mint: string, page: number) =>
  useResource(key(`holders ${page}`, mint), () => readHolders(mint, page));
export const useTraders = (mint: string, sort: TraderOrder) =>
  useResource(key(`traders ${sort}`, mint), () => readTraders(mint, sort));

/** The liquidity of a token's DEX pair, which it has once it has graduated. */
export const useLiquidity = ({ mint, graduated }: TokenDetails) =>
  useResource(key(`liquidity ${graduated}`, mint), () =>
    graduated ? readAllLiquidity(mint) : Promise.resolve({ changes: [], isComplete: true }),
  );

/** The trades of a token, or only those of one account. */
export const createTradeList = (mint: string, trader?: string) =>
  createEventList<Trade>({
    async readPage(cursor) {
      const { trades, nextCursor } = await (trader === undefined
        ? readTrades(mint, cursor)
        : readTradesOf(trader, mint, cursor));
      return { entries: trades, nextCursor };
    },
    toEntry: (event) =>
      event.kind === "trade" && (trader === undefined || event.trader === trader) ? event : undefined,
  });
export const createTransferList = (mint: string) =>
  createEventList<Transfer>({
    async readPage(cursor) {
      const { transfers, nextCursor } = await readTransfers(mint, cursor);
      return { entries: transfers, nextCursor };
    },
    toEntry: (event) => (event.kind === "transfer" ? event : undefined),
  });

/** Liquidity changes, newest first, as many as five requests return. */
async function readAllLiquidity(mint: string) {
  const changes: LiquidityChange[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 5; page++) {
    const { liquidity, nextCursor } = await readLiquidity(mint, cursor);
    changes.push(...liquidity);
    if (nextCursor === null) return { changes, isComplete: true };
    cursor = nextCursor;
  }
  return { changes, isComplete: false };
}

/** What the parts of a token's page do when its data have changed: a page calls all of them. */
export type Changes = Set<() => void>;

/** What they do with each event of the token's stream. */
export type Events = Set<(event: StreamEvent) => void>;

/** The lists of events that a page keeps up to date, besides its own. */
export type Lists = Set<Pick<EventList<Logged>, "note" | "reload">>;

/** Calls a function whenever the token's data have changed, or with each event, while the component is shown. */
export function useChanges<Args extends unknown[]>(
  changes: Set<(...args: Args) => void>,
  onChange: (...args: Args) => void,
): void {
  const current = useRef(onChange);
  current.current = onChange;
  useEffect(() => {
    const call = (...args: Args) => current.current(...args);
    changes.add(call);
    return () => {
      changes.delete(call);
    };
  }, [changes]);
}
