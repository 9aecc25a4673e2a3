import type pg from "pg";
import { openDatabase } from "../../src/api/database/database.ts";

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
  async function explain(text: string, values: unknown[]) {
    const { rows } = await pool.query(`explain (format json) ${text}`, values);
    plans.push(rows[0]["QUERY PLAN"][0].Plan);
    return { rows: [] };
  }
  const explaining = {
    query: ({ text, values = [] }: pg.QueryConfig, parameters: unknown[] = values) =>
      explain(text, parameters),
  };
  return { db: openDatabase(explaining as unknown as pg.Pool), plans };
}

/** Every node of a plan. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
