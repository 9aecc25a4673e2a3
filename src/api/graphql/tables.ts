import {
  Column,
  createTableRelationsHelpers,
  extractTablesRelationalConfig,
  is,
  One,
  type TableRelationalConfig,
} from "drizzle-orm";
import {
  getTableConfig,
  getViewConfig,
  isPgView,
  PgDialect,
  PgTable,
  type PgView,
} from "drizzle-orm/pg-core";
import { tokenActivity } from "../../../offchain/activity.ts";

/** A table or view in GraphQL. Columns have their GraphQL names unless it says SQL. */
export type ApiTable = {
  name: string;
  /** The quoted name including the schema, for use in statements. */
  sqlName: string;
  /** The SQL names of the table or of those that the view joins. The first one has the indexes. */
  sqlTables: [string, ...string[]];
  columns: Map<string, ApiColumn>;
  /** The primary key. A view has none. */
  key: string[];
  /** The columns of every index, including the primary key's, as far as GraphQL has them. */
  indexes: string[][];
  /** Columns with a hash index, which finds equal values but has no order. */
  hashed: string[];
  /** Whether rows can be read in the order of an index. The joins of most views lose that order. */
  ordered: boolean;
  relations: Map<string, Relation>;
};

export type Relation =
  /** One row: the other table's `columns` equal this row's `own` ones. At the top level, the key is an argument. */
  | { kind: "row"; table: string; columns: string[]; own: string[] }
  /** The rows of the other table whose `columns` equal this row's `own` ones. */
  | { kind: "page"; table: string; columns: string[]; own: string[] };

/** Everything that GraphQL serves: tables by name, and the fields of `Query` with Ponder's names. */
export type ApiSchema = { tables: Map<string, ApiTable>; query: Map<string, Relation> };

/** Derives what Ponder serves over GraphQL, and its indexes, from the exports of ponder.schema.ts. */
export function readApiSchema(exports: Record<string, unknown>): ApiSchema {
  const { tables: configs } = extractTablesRelationalConfig(exports, createTableRelationsHelpers);
  const tables = Object.values(configs).map((config) => toApiTable(config, configs, exports));
  const sources = [...tables.map(toSource), activitySource()];
  const views = Object.entries(exports).flatMap(([name, view]) =>
    isPgView(view) ? [viewToApiTable(name, view, sources)] : [],
  );
  const query = new Map<string, Relation>();
  for (const { name, key } of tables) {
    query.set(fieldName(name), { kind: "row", table: name, columns: key, own: [] });
  }
  for (const { name } of [...tables, ...views]) {
    query.set(`${fieldName(name)}s`, { kind: "page", table: name, columns: [], own: [] });
  }
  return { tables: new Map([...tables, ...views].map((table) => [table.name, table])), query };
}

function fieldName(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

type Configs = Record<string, TableRelationalConfig>;

function toApiTable(
  config: TableRelationalConfig,
  configs: Configs,
  exports: Record<string, unknown>,
): ApiTable {
  const table = exports[config.tsName];
  if (!is(table, PgTable)) throw new Error(`Invariant(${config.tsName}): not a table`);
  const { primaryKeys, indexes, schema } = getTableConfig(table);
  const names = new Map(Object.entries(config.columns).map(([name, column]) => [column.name, name]));
  const nameOf = ({ name }: { name: string }) => names.get(name) ?? name;
  const key = primaryKeys.flatMap(({ columns }) => columns.map(nameOf));
  const columnsOf = (method: "btree" | "hash") =>
    indexes
      .filter(({ config }) => (config.method ?? "btree") === method)
      .map(({ config }) => config.columns.map((column) => nameOf({ name: indexedName(column) })));
  return {
    name: config.tsName,
    sqlName: quoted(schema, config.dbName),
    sqlTables: [config.dbName],
    columns: new Map(Object.entries(config.columns).map(([name, column]) => [name, toApiColumn(column)])),
    key,
    indexes: [key, ...columnsOf("btree")],
    hashed: columnsOf("hash").flat(),
    ordered: true,
    relations: relationsOf(config, configs),
  };
}

/** The name of a column of an index, which drizzle types as possibly an expression. */
function indexedName(column: object): string {
  if (!("name" in column)) throw new Error("Invariant(index): not of a column");
  return String(column.name);
}

/** The columns of a list's order: the requested one, then the key. The order of ids is that of the key, whose chain they begin with. */
export function orderColumns({ columns, key }: ApiTable, orderBy: string | undefined): string[] {
  if (orderBy === undefined) return key;
  const isKeyOrder = columns.get(orderBy)?.kind === "eventId" && key.includes(orderBy);
  return isKeyOrder ? key : [...new Set([orderBy, ...key])];
}

/** Returns a table by its name. Throws if there is none. */
export function tableOf(name: string, tables: ApiSchema["tables"]): ApiTable {
  const table = tables.get(name);
  if (table === undefined) throw new Error(`Invariant(${name}): no such table`);
  return table;
}

function relationsOf(config: TableRelationalConfig, configs: Configs): Map<string, Relation> {
  const relations = new Map<string, Relation>();
  for (const [name, relation] of Object.entries(config.relations)) {
    const other = Object.values(configs).find(({ dbName }) => dbName === relation.referencedTableName);
    if (other === undefined) throw new Error(`Invariant(${config.tsName}.${name}): leads to no table`);
    if (is(relation, One)) {
      const own = (relation.config?.fields ?? []).map((column) => tsNameOf(column, config));
      const columns = (relation.config?.references ?? []).map((column) => tsNameOf(column, other));
      relations.set(name, { kind: "row", table: other.tsName, columns, own });
      continue;
    }
    // Like Ponder, takes the relation of the same name, or else the first one that leads back.
    const rows = Object.values(other.relations).filter((candidate) => is(candidate, One));
    const back =
      rows.find(({ relationName }) => relationName !== undefined && relationName === relation.relationName) ??
      rows.find(({ referencedTableName }) => referencedTableName === config.dbName);
    const columns = (back?.config?.fields ?? []).map((column) => tsNameOf(column, other));
    const own = (back?.config?.references ?? []).map((column) => tsNameOf(column, config));
    relations.set(name, { kind: "page", table: other.tsName, columns, own });
  }
  return relations;
}

function tsNameOf(column: Column, { columns }: TableRelationalConfig): string {
  return Object.entries(columns).find(([, { name }]) => name === column.name)?.[0] ?? column.name;
}

const dialect = new PgDialect({ casing: "snake_case" });

/** A view of joined tables, which can use the first table's indexes as far as it has their columns. */
function viewToApiTable(name: string, view: PgView, sources: Source[]): ApiTable {
  const { name: viewName, schema, query, selectedFields } = getViewConfig(view);
  const fields = Object.entries(selectedFields).flatMap(([field, column]) =>
    is(column, Column) ? [[field, column] as const] : [],
  );
  const text = query === undefined ? "" : dialect.sqlToQuery(query.getSQL()).sql;
  const joined = [...text.matchAll(/ (?:from|join) (?:"\w+"\.)?"(\w+)"/g)].map(([, table = ""]) => table);
  const [first] = joined;
  const source = sources.find(({ sqlTable }) => sqlTable === first);
  const selected = /^select (.*?) from /.exec(text)?.[1]?.split(", ") ?? [];
  if (first === undefined || source === undefined || selected.length !== fields.length) {
    throw new Error(`Invariant(${name}): the view is not a join of tables`);
  }
  const names = new Map<string, string>();
  const columns = new Map<string, ApiColumn>();
  for (const [index, [field, viewColumn]] of fields.entries()) {
    const [column = "", table] = selected[index]?.replaceAll('"', "").split(".").reverse() ?? [];
    if (table === first) names.set(column, field);
    columns.set(field, { ...toApiColumn(viewColumn), sqlName: column });
  }
  return {
    name,
    sqlName: quoted(schema, viewName),
    sqlTables: [first, ...joined.slice(1)],
    columns,
    key: [],
    indexes: source.indexes.map((index) => {
      const reached: string[] = [];
      for (const column of index) {
        const name = names.get(source.columns.get(column)?.sqlName ?? "");
        if (name === undefined) break;
        reached.push(name);
      }
      return reached;
    }),
    hashed: source.hashed.flatMap((column) => names.get(source.columns.get(column)?.sqlName ?? "") ?? []),
    ordered: source.ordered,
    relations: new Map(),
  };
}

const quoted = (schema: string | undefined, name: string) =>
  schema === undefined ? `"${name}"` : `"${schema}"."${name}"`;

/** The first table of a view, whose indexes the view's conditions and orders can use. */
type Source = Pick<ApiTable, "columns" | "indexes" | "hashed" | "ordered"> & { sqlTable: string };

function toSource({ sqlTables, columns, indexes, hashed }: ApiTable): Source {
  return { sqlTable: sqlTables[0], columns, indexes, hashed, ordered: false };
}

/** Each row of this table is joined to one row by key, so a page in an index's order needs no sort. */
function activitySource(): Source {
  const { name, columns, primaryKeys, indexes } = getTableConfig(tokenActivity);
  // A view covers one schema: that column is the first of every index, and has a single value.
  const namesOf = (columns: object[]) => columns.slice(1).map(indexedName);
  return {
    sqlTable: name,
    columns: new Map(columns.map((column) => [column.name, toApiColumn(column)])),
    indexes: [
      ...primaryKeys.map(({ columns }) => namesOf(columns)),
      ...indexes.map(({ config }) => namesOf(config.columns)),
    ],
    hashed: [],
    ordered: true,
  };
}

/** Determines which values a column's filters accept. */
/** An `eventId` has the chain before it in GraphQL, and not in the table. */
type ColumnKind =
  | "text"
  | "eventId"
  | "hex"
  | "int"
  | "int8"
  | "numeric"
  | "float"
  | "boolean"
  | "enum"
  | "date";

export type ApiColumn = {
  sqlName: string;
  kind: ColumnKind;
  nullable: boolean;
  /** The possible values of a text column that is an enum, for which GraphQL itself accepts any text, and the indexed chains. */
  values?: string[];
  sqlType: string;
  /** Converts a value to the form that the driver takes. */
  encode: (value: unknown) => unknown;
};

const kinds: Record<string, ColumnKind> = {
  PgHex: "hex",
  PgEvmBigint: "numeric",
  PgNumericBigInt: "numeric",
  PgBigInt64: "int8",
  PgInteger: "int",
  PgDoublePrecision: "float",
  PgBoolean: "boolean",
  PgTimestamp: "date",
  PgEnumColumn: "enum",
};

function toApiColumn(viewColumn: Column): ApiColumn {
  const { name: sqlName, columnType, enumValues, notNull } = viewColumn;
  const textKind = /(^|_)id$/.test(sqlName) ? "eventId" : "text";
  const kind = kinds[columnType] ?? textKind;
  const column: ApiColumn = {
    sqlName,
    kind,
    nullable: !notNull,
    sqlType: viewColumn.getSQLType(),
    encode: (value) => (value === null ? null : viewColumn.mapToDriverValue(value)),
  };
  return kind === "text" && enumValues !== undefined ? { ...column, values: enumValues } : column;
}
