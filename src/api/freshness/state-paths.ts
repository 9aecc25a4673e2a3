import { readsIndex } from "../concurrency/read-lanes.ts";

export const graphqlPath = "/graphql";

/** Whether a path serves chain state: its answers then have X-Index-Block, and it accepts `minBlock`. */
export const servesChainState = (path: string) =>
  readsIndex(path) || path === "/api/tokenlist.json" || path === graphqlPath;
