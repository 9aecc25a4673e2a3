import { afterAll, beforeAll, describe } from "vitest";
import { type ServedMarket, startServedMarket } from "../service/served-market.ts";
import { testAccounts } from "./recorded-market/accounts.ts";
import { testTrades } from "./recorded-market/trades.ts";
import { testWithoutFeed } from "./recorded-market/without-feed.ts";

/* The REST API on a market whose receipts were recorded as it was made. */

let served: ServedMarket;

beforeAll(async () => {
  served = await startServedMarket();
});

afterAll(async () => {
  await served?.stop();
});

// In this order: the first candles end at the last recorded block, and the account tests go on trading.
describe("candles and trades", () => testTrades(() => served));
describe("accounts", () => testAccounts(() => served));
describe("without a price feed", () => testWithoutFeed(() => served));
