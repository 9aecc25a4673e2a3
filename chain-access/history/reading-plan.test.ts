import { expect, test } from "vitest";
import { emulateHistory, emulateOracle, fewestRequests, ratioOf } from "../../bench/plan/emulate.ts";
import { createMarket } from "../../bench/plan/market.ts";
import { sized } from "../../test/run/long-run.ts";

const tokens = sized({ usual: 50_000, long: 100_000 });
// As dense in either size.
const market = createMarket({ tokens, eventsPerToken: 10, blocks: 345.6 * tokens });

test(`${tokens} tokens take at most three times the requests of an oracle that knows which of them is active when`, () => {
  const limits = { addresses: 1_000, blocks: 10_000_000, logs: 10_000 };
  expect(ratioOf(emulateHistory(market, limits), emulateOracle(market, limits))).toBeLessThan(3);
});

test("where requests may only have short ranges, they are hardly more than by any plan that asks by address", () => {
  const limits = { addresses: 1_000, blocks: 10_000, logs: 10_000 };
  expect(emulateHistory(market, limits).children).toBeLessThan(1.05 * fewestRequests(market, limits));
});
