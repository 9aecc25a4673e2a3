import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { maxBlockRange } from "../aggregators/dexscreener/dexscreener.routes.ts";
import { cardQueue } from "../explorer/card/card-routes.ts";
import { maxBalances, maxCsvRows, maxRank } from "../holders/holders.routes.ts";
import { defaultLimits } from "../http-limits/limits.ts";
import {
  gatewaySlots,
  imageLimits,
  receivingLimits,
  resizingQueue,
  unusedRetentionHours,
  uploadSlots,
} from "../images/limits.ts";
import { maxRank as lastLeader } from "../leaderboard/leaderboard.routes.ts";
import { maxCharacters } from "../mcp/pages.ts";
import { sqlLimits } from "../sql/limits.ts";
import { maxDays } from "../stats/stats.routes.ts";
import { maxMints } from "../tokens/list/list-tokens.routes.ts";

/* The pages state the limits that the code has. Those of GraphQL, and of the proxy, have tests of their own. */

const count = (value: number) => value.toLocaleString("en-US");
const seconds = (ms: number) => ms / 1_000;
const { headersMs, bodyMs, idleMs, idle, unreadMs, unreadBytes, unreadBytesPerAddress, pipelined } =
  defaultLimits;
const { drainMs, drainBytesPerMs, draining, drainingPerAddress } = defaultLimits;

test.each([
  ["docs/rest.md", `up to ${maxMints} mints`],
  ["docs/rest.md", `each of the last \`days\` (1 to ${maxDays}, default 30)`],
  ["docs/rest.md", `At most ${count(imageLimits.side)} pixels a side`],
  ["docs/rest.md", `an animation at most ${count(imageLimits.frames)} frames`],
  ["docs/rest.md", `If ${resizingQueue.maxWaiting} others are waiting to be resized`],
  ["docs/rest.md", `has waited for ${seconds(resizingQueue.maxWaitMs)} seconds`],
  ["docs/rest.md", `is deleted after ${unusedRetentionHours} hours`],
  ["docs/rest.md", `may send ${uploadSlots.maxPerOwner} uploads at a time`],
  ["docs/rest.md", `may load ${gatewaySlots.maxPerOwner} images at a time`],
  ["docs/rest.md", `every ${seconds(receivingLimits.windowMs)} seconds (else 408)`],
  ["docs/rest.md", `Headers must arrive within ${seconds(headersMs)} seconds`],
  ["docs/rest.md", `nothing of an answer for ${seconds(unreadMs)} seconds`],
  [
    "docs/rest.md",
    `more than ${unreadBytesPerAddress / 1e6} MB wait for one address, or ${unreadBytes / 1e6} MB`,
  ],
  ["docs/rest.md", `may have ${pipelined} unanswered requests`],
  ["docs/rest.md", `is closed after ${seconds(idleMs)} seconds`],
  ["docs/rest.md", `Pages of holders end at rank ${count(maxRank)}`],
  ["docs/rest.md", `has all holders, up to ${count(maxCsvRows)}`],
  ["docs/market-data.md", `more than ${count(maxCsvRows)} holders`],
  ["docs/market-data.md", `10,000 holders has ${maxBalances / 10_000} days`],
  ["docs/market-data.md", `Pages reach down to rank ${count(lastLeader)}`],
  ["docs/market-data.md", `at most ${count(maxBlockRange)} blocks`],
  ["docs/explorer.md", `when ${cardQueue.maxWaiting} are waiting`],
  ["docs/agents.md", `at most ${count(maxCharacters)} characters`],
  ["docs/analysts.md", `of ${count(sqlLimits.characters)} characters and ${sqlLimits.params} parameters`],
  ["docs/analysts.md", `| ${count(sqlLimits.rows)} rows`],
  ["docs/analysts.md", `${sqlLimits.running} statements per process`],
  ["SECURITY.md", `| ${seconds(headersMs)} s; ${seconds(defaultLimits.bodyGraceMs)} s, then`],
  ["SECURITY.md", `${seconds(bodyMs)} s at most`],
  ["SECURITY.md", `closed after ${seconds(idleMs)} s; ${count(idle)} in all`],
  [
    "SECURITY.md",
    `for ${seconds(drainMs)} s, at ${drainBytesPerMs / 1e3} MB/s, on ${draining} connections at a time, ${drainingPerAddress} from one address`,
  ],
  ["SECURITY.md", `${resizingQueue.maxWaiting} wait in each, for ${seconds(resizingQueue.maxWaitMs)} s`],
  [
    "SECURITY.md",
    `${uploadSlots.max}, ${uploadSlots.maxPerOwner} from one address; ${seconds(receivingLimits.totalMs)} s each`,
  ],
  [
    "SECURITY.md",
    `${count(sqlLimits.characters)} characters, ${sqlLimits.seconds} s, ${count(sqlLimits.rows)} rows`,
  ],
])("%s says: %s", (page, sentence) => {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8");
  expect(text.replaceAll(/\s+/g, " ")).toContain(sentence);
});
