import { beforeAll, describe } from "vitest";
import { testListCursors } from "./prices-and-lists/list-cursors.ts";
import { testListForms } from "./prices-and-lists/list-forms.ts";
import { type PricesAndListsServed, servePricesAndLists } from "./prices-and-lists/served.ts";
import { testUsd } from "./prices-and-lists/usd.ts";

/* Two independent markets on two chains of one service. */

let served: PricesAndListsServed;

beforeAll(async () => {
  served = await servePricesAndLists();
});

describe("prices in USD", () => testUsd(() => served));
describe("forms of the list", () => testListForms(() => served));
describe("cursors of the list", () => testListCursors(() => served));
