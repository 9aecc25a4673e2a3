import { rm } from "node:fs/promises";
import { statement } from "../../offchain/statement.ts";
import { idsOfDays, type Numbered } from "../tables/ids.ts";
import { readCsv } from "../tables/parquet-columns.ts";
import type { DayOfChain } from "../tables/tables.ts";
import { copyOut } from "./copy-out.ts";
import { dateOf } from "./days.ts";
import type { Export } from "./export.ts";
import type { FinalSnapshot } from "./final-snapshot.ts";
import { csvOf } from "./part.ts";

/** Columns of numbers for addresses, and the table of DuckDB that has them. */
export type NumberedColumn = { name: string; of: string; table: string };

const columns = ["address", "number"].map((name) => ({ name, kind: "text" as const }));

/** The table of DuckDB for the numbers of tokens, or of traders. */
export const numbersOf = (kind: Numbered) => `${kind}_numbers`;

/** Puts the numbers of all that was traded from one day to another into tables of DuckDB, in place of those of the days before. */
export async function readNumbers(
  { engine, schema, signal }: Export,
  { client }: FinalSnapshot,
  { kinds, days }: { kinds: Iterable<Numbered>; days: DayOfChain },
): Promise<void> {
  for (const kind of kinds) {
    const file = csvOf(engine, { table: numbersOf(kind), chain: days.chainId, day: dateOf(days.start) });
    await copyOut(client, { select: idsOfDays(kind, schema, days), file, signal });
    await engine.run(
      [
        statement`create or replace temp table ${numbersOf(kind)} as`,
        `select address, cast(number as bigint) as number from ${readCsv(file, columns)}`,
      ].join(" "),
    );
    await rm(file);
  }
}
