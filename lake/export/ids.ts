import { rm } from "node:fs/promises";
import { statement } from "../../offchain/statement.ts";
import { idsOfDays, type NumberedKind } from "../tables/ids.ts";
import { readCsv } from "../tables/parquet-columns.ts";
import type { DayOfChain } from "../tables/tables.ts";
import { copyOut } from "./copy-out.ts";
import { dateOf } from "./days.ts";
import type { Export } from "./export.ts";
import type { FinalSnapshot } from "./final-snapshot.ts";
import { csvPath } from "./part.ts";

/** A column of numbers for the addresses in column `of`, and the DuckDB table that has them. */
export type NumberedColumn = { name: string; of: string; table: string };

const columns = ["address", "number"].map((name) => ({ name, kind: "text" as const }));

/** The DuckDB table with the numbers of tokens or of traders. */
export const numbersTable = (kind: NumberedKind) => `${kind}_numbers`;

/** Loads the numbers of all tokens and traders of some days' trades into DuckDB tables, replacing those of the previous days. */
export async function readNumbers(
  { engine, schema, signal }: Export,
  { client }: FinalSnapshot,
  { kinds, days }: { kinds: Iterable<NumberedKind>; days: DayOfChain },
): Promise<void> {
  for (const kind of kinds) {
    const file = csvPath(engine, { table: numbersTable(kind), chain: days.chainId, day: dateOf(days.start) });
    await copyOut(client, { select: idsOfDays(kind, schema, days), file, signal });
    await engine.run(
      [
        statement`create or replace temp table ${numbersTable(kind)} as`,
        `select address, cast(number as bigint) as number from ${readCsv(file, columns)}`,
      ].join(" "),
    );
    await rm(file);
  }
}
