import { readsIndex } from "../concurrency/read-lanes.ts";

export const graphqlPath = "/graphql";

/** Whether a path answers with the state of a chain, so that its answers name their block and it takes `minBlock`. */
export const answersState = (path: string) =>
  readsIndex(path) || path === "/api/tokenlist.json" || path === graphqlPath;
