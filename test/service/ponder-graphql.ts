import { createRequire } from "node:module";
import { drizzle } from "drizzle-orm/node-postgres";
import type { GraphQLSchema } from "graphql";
import type pg from "pg";
import * as exports from "../../ponder.schema.ts";
import { limitPonderDatabase, type PonderDatabase, runQuery } from "../../src/api/graphql/limit-database.ts";
import { nullableColumns, readApiSchema } from "../../src/api/graphql/tables.ts";
import { nodesOf, type PlanNode } from "./query-plan.ts";

type ExecutedNode = PlanNode & {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
};

/** Ponder's own GraphQL, whose statements are run and explained: no rows come back. */
export async function explainingGraphql(client: pg.Client) {
  // Ponder's, which Vitest would load a second time.
  const { graphql } = createRequire(import.meta.url)("graphql") as typeof import("graphql");
  // Not among its exports.
  const { buildGraphQLSchema } = (await import(
    new URL("../../node_modules/ponder/dist/esm/graphql/index.js", import.meta.url).href
  )) as { buildGraphQLSchema: (options: { schema: object }) => GraphQLSchema };
  const schema = buildGraphQLSchema({ schema: exports });

  const plans: PlanNode[] = [];
  const pool: PonderDatabase["driver"]["readonly"] = {
    async query({ text }, values) {
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
      plans.push(rows[0]["QUERY PLAN"][0].Plan);
      return { rows: [] };
    },
  };
  const raw = drizzle(pool as unknown as pg.Pool, { schema: exports, casing: "snake_case" });
  const qb = { raw, wrap: (ask: unknown) => (ask as (db: unknown) => unknown)(raw) };
  limitPonderDatabase(
    { driver: { readonly: pool }, readonlyQB: qb },
    nullableColumns(readApiSchema(exports)),
  );

  /** The plans of what Ponder asks the database for a query. */
  return async (source: string): Promise<PlanNode[]> => {
    plans.length = 0;
    const limits = { signal: AbortSignal.timeout(60_000), repeats: 0, bytes: 1 };
    const { errors } = await runQuery(limits, () => graphql({ schema, source, contextValue: { qb } }));
    if (errors !== undefined) throw new Error(`${source}: ${errors.map(({ message }) => message).join()}`);
    return [...plans];
  };
}

/** How many rows the scans of a plan have read, those that were dropped included. */
export function rowsScanned(plan: PlanNode): number {
  const scans = nodesOf(plan).filter(({ Plans }) => Plans === undefined) as ExecutedNode[];
  return scans.reduce((sum, node) => {
    const dropped = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
    return sum + node["Actual Loops"] * (node["Actual Rows"] + dropped);
  }, 0);
}
