import { drizzle } from "drizzle-orm/node-postgres";
import { integer, pgTable } from "drizzle-orm/pg-core";
import type pg from "pg";
import { expect, test } from "vitest";
import { countTicks } from "../../../test/service/tick-count.ts";
import { limitPonderDatabase } from "./limit-database.ts";

test("between two statements that are asked for at once, the event loop gets to everything else", async () => {
  const ticks = countTicks();
  const asked: number[] = [];
  const readonly = {
    async query() {
      asked.push(ticks.now());
      return { rows: [] };
    },
  };
  const raw = drizzle(readonly as unknown as pg.Pool);
  limitPonderDatabase({ driver: { readonly }, readonlyQB: { raw, wrap: () => undefined } }, () => false);
  const table = pgTable("rows", { id: integer() });
  await Promise.all(Array.from({ length: 5 }, () => raw.select().from(table).limit(1)));
  ticks.stop();
  expect(new Set(asked).size).toBe(5);
});
