import type pg from "pg";
import { openDatabase } from "../../src/api/database/database.ts";

/** A node of a plan, in the format of `explain (format json)`. */
export type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: PlanNode[];
};

/**
 * A database that explains each statement instead of running it. It returns no rows, and adds the plan of that very statement,
 * with its parameters and settings, to `plans`.
 */
export function explainingDatabase(pool: pg.Pool) {
  const plans: PlanNode[] = [];
  async function explain(text: string, values: unknown[]) {
    const { rows } = await pool.query(`explain (format json) ${text}`, values);
    plans.push(rows[0]["QUERY PLAN"][0].Plan);
    return { rows: [] };
  }
  const explaining = {
    query: (query: pg.QueryConfig | string, parameters?: unknown[]) => {
      const { text, values = [] } = typeof query === "string" ? { text: query } : query;
      return explain(text, parameters ?? values);
    },
  };
  const client = explaining as unknown as pg.ClientBase;
  return { db: openDatabase(explaining as unknown as pg.Pool), client, plans };
}

/** Returns a plan's nodes, starting with the root. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
