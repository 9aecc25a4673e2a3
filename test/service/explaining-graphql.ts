import type pg from "pg";
import * as exports from "../../ponder.schema.ts";
import { createGraphql } from "../../src/api/graphql/create-graphql.ts";
import type { ReadRows } from "../../src/api/graphql/read/read-rows.ts";
import { nodesOf, type PlanNode } from "./query-plan.ts";

type ExecutedNode = PlanNode & {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
};

/** Our GraphQL over a database that runs and explains each statement, and returns no rows. */
export async function explainingGraphql(client: pg.Client) {
  const { schema, graphql } = createGraphql(exports);
  const plans: PlanNode[] = [];
  const read: ReadRows = async ({ text, values }) => {
    const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
    plans.push(rows[0]["QUERY PLAN"][0].Plan);
    return [];
  };

  /** Returns the plans of the statements that a query sends. */
  return async (source: string): Promise<PlanNode[]> => {
    plans.length = 0;
    const { errors } = await graphql.graphql({ schema, source, contextValue: { read } });
    if (errors !== undefined) throw new Error(`${source}: ${errors.map(({ message }) => message).join()}`);
    return [...plans];
  };
}

/** The number of rows that a plan's scans read, including those that filters removed. */
export function rowsScanned(plan: PlanNode): number {
  const scans = nodesOf(plan).filter(({ Plans }) => Plans === undefined) as ExecutedNode[];
  return scans.reduce((sum, node) => {
    const dropped = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
    return sum + node["Actual Loops"] * (node["Actual Rows"] + dropped);
  }, 0);
}
