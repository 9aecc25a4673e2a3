import type { Attack } from "./attack.ts";

export const graphql: Attack = {
  description: "POST /graphql, queries of nearly the highest cost allowed",
  prepare: async () => (count) => ({
    method: "POST",
    path: "/graphql",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      query: `{ tokens(limit: ${300 + (count % 20)}, orderBy: "createdAt", orderDirection: "desc") { items { address name trades(limit: 50, orderBy: "timestamp", orderDirection: "desc") { items { id trader bnbAmountWei tokenAmountRaw timestamp tx } } } } }`,
    }),
  }),
};
