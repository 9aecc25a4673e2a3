import { runBenchmark } from "../shared/benchmark.ts";
import { whole, wholes } from "../shared/options.ts";
import { count, tableOf } from "../shared/report.ts";
import { emulateHistory, emulateOracle, fewestRequests, ratioOf } from "./emulate.ts";
import { createMarket } from "./market.ts";

/* Counts the requests by which a first sync reads the logs of many tokens, without a chain: what is emulated are the requests. */

const flags = {
  tokens: wholes([100_000]),
  /** Blocks of a range that one request may ask for. */
  range: wholes([10_000_000, 1_000_000, 10_000]),
  eventsPerToken: whole(10),
  /** Half a year of BNB Smart Chain. */
  blocks: whole(34_560_000),
  logs: whole(10_000),
};

await runBenchmark(flags, async ({ tokens: sizes, range, eventsPerToken, blocks, logs }, { log }) => {
  const rows: Record<string, string>[] = [];
  const data: object[] = [];
  for (const tokens of sizes) {
    const market = createMarket({ tokens, eventsPerToken, blocks });
    log(`${count(market.created.length)} tokens and pairs, ${count(market.events)} events`);
    for (const blocksPerRequest of range) {
      const limits = { addresses: 1_000, blocks: blocksPerRequest, logs };
      const history = emulateHistory(market, limits);
      const oracle = emulateOracle(market, limits);
      const fewest = fewestRequests(market, limits);
      data.push({ tokens, limits, history, oracle, fewest });
      rows.push({
        tokens: count(tokens),
        "blocks a request": count(blocksPerRequest),
        windows: count(history.windows),
        static: count(history.static),
        "of tokens": count(history.children),
        oracle: count(oracle.static + oracle.children),
        ratio: ratioOf(history, oracle).toFixed(2),
        "at least": count(fewest),
      });
    }
  }
  return { lines: tableOf(rows), data: { data } };
});
