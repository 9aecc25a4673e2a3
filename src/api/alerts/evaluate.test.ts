import { expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import type { StreamItem } from "../stream/read-page.ts";
import type { CrossesRule } from "./alert-rule.schema.ts";
import { toCondition } from "./conditions.ts";
import { evaluate, tokenKey, type Watched } from "./evaluate.ts";

const mint = `0x${"ab".repeat(20)}`;

/** A database that counts statements and finds nothing. */
function countingDatabase() {
  let statements = 0;
  const execute = async () => {
    statements++;
    return { rows: [] };
  };
  return { db: { execute } as unknown as Database, count: () => statements };
}

const trade = (number: number): StreamItem => ({
  chainId: 56,
  kind: "trade",
  mint,
  creator: null,
  trade: {
    trader: mint,
    side: "buy",
    venue: "curve",
    bnbAmountWei: "1",
    priceAfterBnb: "1",
    timestamp: "2026-01-01T00:00:00.000Z",
    progress: 1,
  },
  cursor: `${number}-1`,
  isRemoved: false,
  position: `${String(number).padStart(12, "0")}-000000`,
  data: "{}",
  text: "",
});

function watch(rule: Partial<CrossesRule>, number: number): Watched {
  const whole = {
    type: "crosses",
    mint,
    above: "1",
    hysteresisPercent: 5,
    repeat: "always",
    ...rule,
  } as CrossesRule;
  return {
    id: `alert_${number}`,
    chainId: 56,
    rule: whole,
    condition: toCondition(whole),
    state: { isArmed: true, undo: [] },
  };
}

test("however many conditions a token has, each trade takes one statement for their volumes, and the last one for their accounts", async () => {
  const { db, count } = countingDatabase();
  const watched = Array.from({ length: 100 }, (_, number) => [
    watch({ metric: "volumeBnb", windowMinutes: number + 1 }, number),
    watch({ metric: "accountPercent", account: `0x${String(number).padStart(40, "0")}` }, 100 + number),
  ]).flat();
  await evaluate(db, new Map([[tokenKey(56, mint), new Set(watched)]]), [trade(1), trade(2)]);
  // And one for what the index says of the token.
  expect(count()).toBe(1 + 2 + 1);
});
