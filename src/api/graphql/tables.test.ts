import { expect, test } from "vitest";
import * as exports from "../../../ponder.schema.ts";
import { readApiSchema } from "./tables.ts";

const { tables, query } = readApiSchema(exports);

test("pages are the same fields as in Ponder", () => {
  const relations = [...query, ...[...tables.values()].flatMap((table) => [...table.relations])];
  const pages = relations.flatMap(([name, { kind }]) => (kind === "page" ? [name] : []));
  expect([...new Set(pages)].sort()).toEqual(
    "accounts activeTokens bnbUsdAnswers candles createdTokens curves dexPairs earlyBuyers holders holdings launchpads liquidityChanges listings pairs pastBalances positions receivedTransfers sentTransfers tokenSymbols tokens trades transfers".split(
      " ",
    ),
  );
});

test("a table has its key and indexes, and a relation has its columns on both sides", () => {
  expect(tables.get("trade")).toMatchObject({
    key: ["chainId", "id"],
    indexes: [
      ["chainId", "id"],
      ["chainId", "token", "timestamp"],
      ["chainId", "trader", "timestamp"],
      ["timestamp", "chainId"],
    ],
  });
  expect(tables.get("account")?.relations.get("createdTokens")).toEqual({
    kind: "page",
    table: "token",
    columns: ["chainId", "creator"],
    own: ["chainId", "address"],
  });
  // Of the two relations that lead to an account, those of the same name.
  const columns = ["sentTransfers", "receivedTransfers"].map(
    (name) => tables.get("account")?.relations.get(name)?.columns[1],
  );
  expect(columns).toEqual(["from", "to"]);
});

test("a view has its first table's indexes, as far as it has their columns", () => {
  expect(tables.get("listing")).toMatchObject({
    sqlTables: ["token", "curve", "registration"],
    ordered: false,
    indexes: expect.arrayContaining([
      ["chainId", "address"],
      ["chainId", "creator", "createdAt", "address"],
    ]),
  });
});

test("every kind of column is known", () => {
  const kindOf = (table: string, column: string) => tables.get(table)?.columns.get(column)?.kind;
  expect(kindOf("trade", "timestamp")).toBe("int8");
  expect(kindOf("trade", "bnbAmountWei")).toBe("numeric");
  expect(kindOf("trade", "token")).toBe("hex");
  expect(kindOf("trade", "venue")).toBe("enum");
  expect(kindOf("curve", "progress")).toBe("float");
  expect(kindOf("listing", "registeredAt")).toBe("date");
});
