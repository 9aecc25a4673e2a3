import { chainId } from "../data/chain.ts";

/** The page that an address shows, and its parameters. */
export type Route =
  | { page: "home" }
  | { page: "board" }
  | { page: "token"; mint: string }
  | { page: "account"; address: string }
  | { page: "create" }
  | { page: "leaderboard" }
  | { page: "stats" }
  | { page: "alerts" }
  | { page: "nothing" };

const address = "(0x[0-9a-fA-F]{40})";

/** The route of a path. The server answers the same paths with the explorer. */
export function routeOf(path: string): Route {
  if (path === "/") return { page: "home" };
  if (/^\/(board|create|leaderboard|stats|alerts)$/.test(path)) return { page: path.slice(1) as "create" };
  const mint = new RegExp(`^/token/${address}$`).exec(path)?.[1];
  if (mint !== undefined) return { page: "token", mint: mint.toLowerCase() };
  const account = new RegExp(`^/account/${address}$`).exec(path)?.[1];
  if (account !== undefined) return { page: "account", address: account.toLowerCase() };
  return { page: "nothing" };
}

export const tokenPath = (mint: string) => `/token/${mint}`;
export const accountPath = (account: string) => `/account/${account}`;

/** Adds the current chain to a path of the explorer. */
export function withChain(path: string): string {
  if (chainId.value === undefined) return path;
  return `${path}${path.includes("?") ? "&" : "?"}chain=${chainId.value}`;
}
