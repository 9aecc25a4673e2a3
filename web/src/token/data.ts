import { chainId } from "../data/chain.ts";
import { api, client, dataOf } from "../data/client.ts";
import { useResource } from "../data/resource.ts";

/** The resources of a token's page, each with its own key. */

const chain = () => chainId.peek();
const key = (what: string, mint: string) => `${what} ${mint} ${chainId.value ?? ""}`;

const readToken = (mint: string) => client.token(mint, { chainId: chain() });
const readCurve = (mint: string) =>
  dataOf(api.GET("/api/curve/{mint}", { params: { path: { mint }, query: { chainId: chain() } } }));
const readHolders = (mint: string, page: number) =>
  dataOf(
    api.GET("/api/token/{mint}/holders", {
      params: { path: { mint }, query: { chainId: chain(), limit: 50, page } },
    }),
  );

export const readTrades = (mint: string, cursor?: string) =>
  dataOf(
    api.GET("/api/token/{mint}/trades", {
      params: { path: { mint }, query: { chainId: chain(), limit: 40, cursor } },
    }),
  );
export const readLiquidity = (mint: string, cursor?: string) =>
  dataOf(
    api.GET("/api/token/{mint}/liquidity", {
      params: { path: { mint }, query: { chainId: chain(), limit: 100, cursor } },
    }),
  );

export type TokenDetails = Awaited<ReturnType<typeof readToken>>;
export type Curve = Awaited<ReturnType<typeof readCurve>>;
export type HoldersPage = Awaited<ReturnType<typeof readHolders>>;
export type Trade = Awaited<ReturnType<typeof readTrades>>["trades"][number];

export const useToken = (mint: string) => useResource(key("token", mint), () => readToken(mint));
export const useCurve = (mint: string) => useResource(key("curve", mint), () => readCurve(mint));
export const useHolders = (mint: string, page: number) =>
  useResource(key(`holders ${page}`, mint), () => readHolders(mint, page));
export const useLiquidity = (mint: string) =>
  useResource(key("liquidity", mint), () => readAllLiquidity(mint));

/** Liquidity changes, newest first, as many as five requests return. */
async function readAllLiquidity(mint: string) {
  const changes = [];
  let cursor: string | undefined;
  for (let page = 0; page < 5; page++) {
    const { liquidity, nextCursor } = await readLiquidity(mint, cursor);
    changes.push(...liquidity);
    if (nextCursor === null) return { changes, isComplete: true };
    cursor = nextCursor;
  }
  return { changes, isComplete: false };
}
