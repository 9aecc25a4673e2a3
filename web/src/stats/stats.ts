import { chainId } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { type Resource, useResource } from "../data/resource.ts";

const readStats = () => dataOf(api.GET("/api/stats", { params: { query: { chainId: chainId.peek() } } }));

export type Stats = Awaited<ReturnType<typeof readStats>>;

export const useStats = (): Resource<Stats> => useResource(`stats ${chainId.value ?? ""}`, readStats);
