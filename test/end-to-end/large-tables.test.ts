import { beforeAll, describe } from "vitest";
import { testGraphqlCost } from "./large-tables/graphql-cost.ts";
import { testQueryPlans } from "./large-tables/query-plans.ts";
import { serveTables, type TablesServed } from "./large-tables/served.ts";

/* What the service asks of its tables, and lets clients ask, once they are large. */

let served: TablesServed;

beforeAll(async () => {
  served = await serveTables();
});

// In this order: the cost is also asked for while the tables are small.
describe("GraphQL's cost", () => testGraphqlCost(() => served));
describe("query plans", () => testQueryPlans(() => served));
