import type { Column } from "drizzle-orm";

/** What decides which values a column's filters take. */
type ColumnKind = "text" | "hex" | "int" | "int8" | "numeric" | "float" | "boolean" | "enum" | "date";

export type ApiColumn = {
  sqlName: string;
  kind: ColumnKind;
  nullable: boolean;
  /** All values of a text column that has only some; GraphQL itself takes any text for it. */
  values?: string[];
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

/** What GraphQL needs to know of a column. */
export function columnOf({ name: sqlName, columnType, enumValues, notNull }: Column): ApiColumn {
  const kind = kinds[columnType] ?? "text";
  const column = { sqlName, kind, nullable: !notNull };
  return kind === "text" && enumValues !== undefined ? { ...column, values: enumValues } : column;
}
