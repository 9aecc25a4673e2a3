import { beforeAll, describe } from "vitest";
import { testGraphqlCost } from "./large-tables/graphql-cost.ts";
import { testQueryPlans } from "./large-tables/query-plans.ts";
import { serveTables, type TablesServed } from "./large-tables/served.ts";

/* The cost of the service's own and its clients' queries on large tables. */

let served: TablesServed;

beforeAll(async () => {
  served = await serveTables();
});

// In this order: the cost tests also run while the tables are small.
describe("GraphQL's cost", () => testGraphqlCost(() => served));
describe("query plans", () => testQueryPlans(() => served));
