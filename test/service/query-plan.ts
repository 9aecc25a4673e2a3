import { PgDialect } from "drizzle-orm/pg-core";
import type pg from "pg";
import type { Database, PooledDatabase } from "../../src/api/database/database.ts";

/** A node of a plan, as `explain (format json)` tells it. */
export type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: PlanNode[];
};

/**
 * A database that explains each statement in place of running it: no rows come back, and the plan of the very same
 * statement, with the same parameters and settings, is in `plans`.
 */
export function explainingDatabase(pool: pg.Pool) {
  const plans: PlanNode[] = [];
  const dialect = new PgDialect({ casing: "snake_case" });
  async function explain(text: string, values: unknown[]) {
    const { rows } = await pool.query(`explain (format json) ${text}`, values);
    plans.push(rows[0]["QUERY PLAN"][0].Plan);
    return { rows: [] };
  }
  const execute = (query: Parameters<Database["execute"]>[0]) => {
    if (typeof query === "string") throw new Error("queries are built with sql``");
    const { sql, params } = dialect.sqlToQuery(query.getSQL());
    return explain(sql, params);
  };
  // Prepared statements go to the driver.
  const $client = { query: ({ text, values }: pg.QueryConfig) => explain(text, values ?? []) };
  return { db: { execute, $client } as unknown as PooledDatabase, plans };
}

/** Every node of a plan. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
