import { getTableColumns, getTableName, isTable } from "drizzle-orm";
import { expect, test } from "vitest";
import * as schema from "../../../ponder.schema.ts";
import { servedDocument } from "../../../test/service/served-document.ts";

/* The name of an amount ends in its unit, in tables (and so in GraphQL) and in REST. */

const fixedPoint = /(Wei|Raw|BnbX36|UsdX36|UsdX18|UsdX8|Percent)$/;
const decimal = /(Wei|Raw|Bnb|Usd|Tokens|[pP]ercent)$/;

/** Amounts whose names the specification fixes. */
const specified = [
  ...["virtualBnbReserves", "virtualTokenReserves", "realTokenReserves", "tokensSold", "totalToSell"],
  "progress",
];

/** In quotes: the side determines the unit of the amount, and slippage is always in percent. */
const inQuotes = ["amount", "slippage"];

/** A number of holders, with decimals. */
const inRisk = "effectiveHolders";

/** Wei, under the name that wallets expect. */
const inTransactions = "value";

/** Limits of alerts, in the unit of their metric. */
const inAlerts = ["above", "below"];

/** Seconds and a count, under the names that ERC-2612 gives them. */
const inPermits = ["deadline", "nonce"];

type Schema = {
  $ref?: string;
  type?: string | string[];
  pattern?: string;
  properties?: Record<string, Schema>;
  [key: string]: unknown;
};

test("columns", () => {
  const amounts = Object.values(schema).flatMap((table) =>
    isTable(table)
      ? Object.entries(getTableColumns(table)).flatMap(([name, column]) =>
          /^(numeric|double)/.test(column.getSQLType()) ? [`${getTableName(table)}.${name}`] : [],
        )
      : [],
  );
  expect(amounts.length).toBeGreaterThan(40);
  const unnamed = amounts.filter((name) => !fixedPoint.test(name));
  expect(unnamed.sort()).toEqual(
    // A round id has no unit.
    ["bnb_usd_answer.roundId", ...specified.map((name) => `curve.${name}`)].sort(),
  );
});

test("columns have the same name in SQL", () => {
  const renamed = Object.values(schema).flatMap((table) =>
    isTable(table)
      ? Object.entries(getTableColumns(table)).flatMap(([name, column]) =>
          // Ponder derives the SQL name of columns without an explicit one, and would separate X from its number.
          column.name === snakeCase(name) || (column.name === name && !/X\d/.test(name)) ? [] : [column.name],
        )
      : [],
  );
  expect(renamed).toEqual([]);
});

test("parameters and fields of REST", async () => {
  const document = JSON.parse(await servedDocument());
  const amounts = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (found: Schema) => {
    if (typeof found !== "object" || found === null || seen.has(found)) return;
    seen.add(found);
    if (found.$ref !== undefined) visit(resolveReference(document, found.$ref));
    for (const [name, field] of Object.entries(found.properties ?? {}))
      if (isAmount(field)) amounts.add(name);
    if (found.in === "query" && isAmount(found.schema as Schema)) amounts.add(found.name as string);
    for (const part of Object.values(found)) visit(part as Schema);
  };
  for (const operation of Object.values<Record<string, Schema>>(document.paths).flatMap(Object.values)) {
    // Aggregators and wallets define their own formats.
    if (!(operation.tags as string[]).includes("Aggregators")) visit(operation);
  }
  expect(amounts.size).toBeGreaterThan(40);
  const unnamed = [...amounts].filter((name) => !decimal.test(name));
  expect(unnamed.sort()).toEqual(
    [...specified, ...inQuotes, ...inPermits, ...inAlerts, inRisk, inTransactions].sort(),
  );
});

function isAmount({ type, pattern = "", ...rest }: Schema): boolean {
  if (rest.enum !== undefined || rest.const !== undefined) return false;
  const types = [type ?? []].flat();
  return types.includes("number") || (types.includes("string") && /^\^(-\?)?\\d[+{]/.test(pattern));
}

function resolveReference(document: Schema, ref: string): Schema {
  return ref
    .split("/")
    .slice(1)
    .reduce((at, key) => at[key] as Schema, document);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
