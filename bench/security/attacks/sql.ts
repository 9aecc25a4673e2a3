import type { Attack } from "./attack.ts";

export const sql: Attack = {
  description: "POST /sql, statements that use all the time that they get",
  prepare: async () => (count) => ({
    method: "POST",
    path: "/sql",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      sql: `select count(*) + ${count} from trade a, trade b where a.timestamp < b.timestamp`,
    }),
  }),
};
