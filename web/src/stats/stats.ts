import { chainId } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { type Resource, useResource } from "../data/resource.ts";
import { locale } from "../language/messages.ts";

const readStats = () => dataOf(api.GET("/api/stats", { params: { query: { chainId: chainId.peek() } } }));

export type Stats = Awaited<ReturnType<typeof readStats>>;

export const useStats = (): Resource<Stats> => useResource(`stats ${chainId.value ?? ""}`, readStats);

const readDays = () => dataOf(api.GET("/api/stats/days", { params: { query: { chainId: chainId.peek() } } }));

type Days = Awaited<ReturnType<typeof readDays>>;
export type Day = Days["days"][number];

/** The launchpad's last 30 days. */
export const useDays = (): Resource<Days> => useResource(`days ${chainId.value ?? ""}`, readDays);

/** Formats a day in the visitor's language, such as Nov 23. Days are in UTC, wherever the visitor is. */
export const formatDay = (day: string) =>
  new Date(day).toLocaleDateString(locale, { month: "short", day: "numeric", timeZone: "UTC" });
