import fc from "fast-check";
import * as exports from "../../ponder.schema.ts";
import { type ApiColumn, type ApiTable, type Relation, readApiSchema } from "../../src/api/graphql/tables.ts";

/** Rows of each table in GraphQL's format, from which conditions take their values. */
export type Samples = Map<string, Record<string, unknown>[]>;

const { tables, query } = readApiSchema(exports);

/** Top-level lists whose order is total, because it ends with the key: those of tables. */
export const lists = [...query]
  .filter(([, { kind, table }]) => kind === "page" && tableOf(table).key.length > 0)
  .map(([field, { table }]) => ({ field, table: tableOf(table) }));

export const allColumns = (table: ApiTable): string => columnsOf(table).join(" ");

/** Columns that no relation of the same name hides. */
const columnsOf = ({ columns, relations }: ApiTable) =>
  [...columns.keys()].filter((name) => !relations.has(name));

/** The query field that gets this row by its key. */
export function rowByKey(table: ApiTable, row: Record<string, unknown>): string {
  const key = table.key.map(
    (name) => `${name}: ${literalOf(table.columns.get(name) as ApiColumn)(row[name])}`,
  );
  return `${table.name}(${key.join(", ")}) { ${allColumns(table)} }`;
}

/** A query for a top-level list with any conditions, order and page, and with nested lists and rows. */
export function randomQuery(samples: Samples): fc.Arbitrary<string> {
  return fc
    .constantFrom(...lists)
    .chain(({ field, table }) => page(field, table, samples, 2))
    .map((text) => `{ ${text} }`);
}

function page(field: string, table: ApiTable, samples: Samples, depth: number): fc.Arbitrary<string> {
  return fc
    .record({
      where: fc.array(conditionOn(table, samples), { maxLength: 2 }),
      // They share one object, so each can occur only once.
      anyOf: fc.uniqueArray(conditionOn(table, samples), {
        maxLength: 2,
        selector: (one) => one.split(":")[0],
      }),
      // By id, it is the order of the key, and Ponder's cursors name the columns the other way round.
      orderBy: fc.option(fc.constantFrom(...[...table.columns.keys()].filter((name) => name !== "id"))),
      direction: fc.option(fc.constantFrom("asc", "desc")),
      limit: fc.option(fc.integer({ min: 0, max: 7 })),
      offset: fc.option(fc.integer({ min: 0, max: 4 })),
      rest: fc.constantFrom(
        "",
        " totalCount",
        " pageInfo { hasNextPage hasPreviousPage startCursor endCursor }",
      ),
      inner: fields(table, samples, depth),
    })
    .map(({ where, anyOf, orderBy, direction, limit, offset, rest, inner }) => {
      const conditions = [...where, ...(anyOf.length === 0 ? [] : [`OR: [{ ${anyOf.join(", ")} }]`])];
      const given = [
        conditions.length === 0
          ? ""
          : `where: { AND: [${conditions.map((one) => `{ ${one} }`).join(", ")}] }`,
        orderBy === null ? "" : `orderBy: "${orderBy}"`,
        direction === null ? "" : `orderDirection: "${direction}"`,
        limit === null ? "" : `limit: ${limit}`,
        offset === null ? "" : `offset: ${offset}`,
      ].filter((argument) => argument !== "");
      const args = given.length === 0 ? "" : `(${given.join(", ")})`;
      return `${field}${args} { items { ${inner} }${rest} }`;
    });
}

function fields(table: ApiTable, samples: Samples, depth: number): fc.Arbitrary<string> {
  const columns = fc.subarray(columnsOf(table), { minLength: 1 });
  if (depth === 0 || table.relations.size === 0) return columns.map((names) => names.join(" "));
  const relation = fc
    .constantFrom(...table.relations)
    .chain(([name, leads]) => related(name, leads, samples, depth));
  return fc.tuple(columns, fc.option(relation)).map(([names, inner]) => [...names, inner ?? ""].join(" "));
}

function related(name: string, relation: Relation, samples: Samples, depth: number): fc.Arbitrary<string> {
  const table = tableOf(relation.table);
  if (relation.kind === "page") return page(name, table, samples, depth - 1);
  return fields(table, samples, depth - 1).map((inner) => `${name} { ${inner} }`);
}

const equality = ["", "_not"];
const text = "_contains _not_contains _starts_with _ends_with _not_starts_with _not_ends_with".split(" ");
const noCase = text.map((operator) => `${operator}_nocase`);
const comparison = ["_gt", "_gte", "_lt", "_lte"];

function operatorsOf({ kind, values }: ApiColumn): string[] {
  // Parts of ids differ from Ponder's, which have no chain.
  if (kind === "boolean" || kind === "enum" || kind === "eventId") return [...equality, "_in", "_not_in"];
  if (kind === "hex") return [...equality, "_in", "_not_in", ...text];
  if (kind === "text")
    return [...equality, "_in", "_not_in", ...(values === undefined ? [...text, ...noCase] : [])];
  return [...equality, "_in", "_not_in", ...comparison];
}

function conditionOn(table: ApiTable, samples: Samples): fc.Arbitrary<string> {
  const rows = samples.get(table.name) ?? [];
  return fc
    .constantFrom(...table.columns)
    .filter(([name]) => !table.relations.has(name))
    .chain(([name, column]) => {
      const values = rows.map((row) => row[name]);
      return fc
        .tuple(
          fc.constantFrom(...operatorsOf(column)),
          fc.array(fc.constantFrom(...values), { maxLength: 3 }),
        )
        .map(([operator, chosen]) => {
          if (operator.endsWith("_in")) {
            return `${name}${operator}: [${chosen
              .filter((value) => value !== null)
              .map(literalOf(column))
              .join(", ")}]`;
          }
          const [value = values[0]] = chosen;
          const isPart = operator.includes("with") || operator.includes("contains");
          const given = isPart && typeof value === "string" ? value.slice(0, 3).replaceAll("\\", "") : value;
          // Null can only be compared for equality.
          if (given === null && !equality.includes(operator)) return `${name}_not: null`;
          return `${name}${operator}: ${literalOf(column)(given)}`;
        });
    });
}

const literalOf =
  ({ kind }: ApiColumn) =>
  (value: unknown): string =>
    kind === "enum" ? String(value) : JSON.stringify(value);

function tableOf(name: string): ApiTable {
  const table = tables.get(name);
  if (table === undefined) throw new Error(`no table ${name}`);
  return table;
}
