import type { Column } from "drizzle-orm";

/** What decides which values a column's filters take. */
type ColumnKind = "text" | "hex" | "int" | "int8" | "numeric" | "float" | "boolean" | "enum" | "date";

export type ApiColumn = {
  sqlName: string;
  kind: ColumnKind;
  nullable: boolean;
  /** All values of a text column that has only some; GraphQL itself takes any text for it. */
  values?: string[];
  /** Its type in SQL. */
  sqlType: string;
  /** A value as the driver takes it. */
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

/** What GraphQL needs to know of a column. */
export function columnOf(given: Column): ApiColumn {
  const { name: sqlName, columnType, enumValues, notNull } = given;
  const kind = kinds[columnType] ?? "text";
  const column: ApiColumn = {
    ...{ sqlName, kind, nullable: !notNull, sqlType: given.getSQLType() },
    encode: (value) => (value === null ? null : given.mapToDriverValue(value)),
  };
  return kind === "text" && enumValues !== undefined ? { ...column, values: enumValues } : column;
}
