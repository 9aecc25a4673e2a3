import type pg from "pg";
import { expect, test } from "vitest";
import type { ChainSettings } from "../../../../config/env.ts";
import { countTicks } from "../../../../test/service/tick-count.ts";
import { createChains } from "../../chain/chains.ts";
import { openDatabase } from "../../database/database.ts";
import { createCoinGecko } from "./coingecko.ts";

const wbnb = `0x${"b".repeat(40)}` as const;
const tokens = Array.from({ length: 1_000 }, (_, index) => `0x${String(index).padStart(40, "0")}`);

const ticker = (token: string) => ({
  token,
  pair: null,
  bnb_reserves_wei: "112345678901234567",
  token_reserves_raw: "890123456789012345678901234",
  price_bnb_x36: "123456789012345678901234567",
  opening_price_bnb_x36: "111111111111111111111111111",
  start_tokens: "900000000000000000000000000",
  total_to_sell: "300000000000000000000000000",
  volume_raw: "1234567890123456789012345",
  volume_wei: "12345678901234567",
  high_bnb_x36: "133456789012345678901234567",
  low_bnb_x36: "111111111111111111111111111",
});

const trade = (_: unknown, index: number) => ({
  id: `000000000007-${String(index).padStart(6, "0")}`,
  block: "7",
  log_index: index,
  side: "buy",
  bnb_amount_wei: "12345678901234567",
  token_amount_raw: "1234567890123456789012345",
  timestamp: "1790000000",
});

/** A database in which a thousand tokens were traded, the latest of them a thousand times. */
const pool = {
  query(statement: { text: string }) {
    const { text } = statement;
    const checkpoint = `1790000000${"56".padStart(16, "0")}${"9".padStart(16, "0")}${"9".repeat(33)}`;
    if (text.includes("safe_checkpoint")) return answer([{ safe: checkpoint, latest: checkpoint }]);
    if (text.includes("start_tokens")) return answer(tokens.map(ticker));
    if (text.includes("log_index")) return answer(Array.from({ length: 1_000 }, trade));
    return answer(tokens.map((token) => ({ token })));
  },
};
const answer = (rows: object[]) => Promise.resolve({ rows });

const app = createCoinGecko({
  chains: createChains([{ id: 56, priceFeeds: [] } as unknown as ChainSettings]),
  db: openDatabase(pool as unknown as pg.Pool),
  getDexAddresses: () => Promise.resolve({ wbnb, factory: wbnb }),
  trustedHops: 0,
});

test.each([
  ["tickers", "/api/coingecko/tickers"],
  ["trades", `/api/coingecko/historical_trades?limit=1000&ticker_id=${tokens[0]}_${wbnb}`],
])("formats a thousand %s over many ticks of the event loop", async (_, path) => {
  const ticks = countTicks();
  const response = await app.request(path);
  const passed = ticks.now();
  ticks.stop();
  const body: unknown = await response.json();
  const rows = Array.isArray(body) ? body : (body as { buy: unknown[] }).buy;
  expect([response.status, rows.length]).toEqual([200, 1_000]);
  expect(passed).toBeGreaterThanOrEqual(20);
});
