import { beforeAll, describe } from "vitest";
import { testFirstBuys } from "./quotes/first-buy.ts";
import { type QuotesServed, serveQuotes } from "./quotes/served.ts";
import { testQuotes } from "./quotes/trades.ts";

let served: QuotesServed;

beforeAll(async () => {
  served = await serveQuotes();
});

describe("quotes of trades", () => testQuotes(() => served));
describe("quotes of a first buy", () => testFirstBuys(() => served));
