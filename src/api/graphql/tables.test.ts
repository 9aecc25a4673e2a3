import { expect, test } from "vitest";
import * as exports from "../../../ponder.schema.ts";
import { readApiSchema } from "./tables.ts";

const { tables, query } = readApiSchema(exports);

test("the fields that are pages are those that Ponder makes pages of", () => {
  const relations = [...query, ...[...tables.values()].flatMap((table) => [...table.relations])];
  const pages = relations.flatMap(([name, { kind }]) => (kind === "page" ? [name] : []));
  expect([...new Set(pages)].sort()).toEqual(
    "accounts activeTokens bnbUsdAnswers candles createdTokens curves dexPairs earlyBuyers holders holdings launchpads liquidityChanges listings pairs positions tokenSymbols tokens trades".split(
      " ",
    ),
  );
});

test("a table has its key and its indexes, and a relation the columns of the row that it hangs on", () => {
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
});

test("a view has as much of the first table's indexes as it has columns", () => {
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
