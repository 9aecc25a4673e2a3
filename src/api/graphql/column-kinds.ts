import type { Column } from "drizzle-orm";

/** Determines which values a column's filters accept. */
type ColumnKind = "text" | "hex" | "int" | "int8" | "numeric" | "float" | "boolean" | "enum" | "date";

export type ApiColumn = {
  sqlName: string;
  kind: ColumnKind;
  nullable: boolean;
  /** The possible values of a text column that is an enum; GraphQL itself accepts any text for it. */
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

export function toApiColumn(given: Column): ApiColumn {
  const { name: sqlName, columnType, enumValues, notNull } = given;
  const kind = kinds[columnType] ?? "text";
  const column: ApiColumn = {
    ...{ sqlName, kind, nullable: !notNull, sqlType: given.getSQLType() },
    encode: (value) => (value === null ? null : given.mapToDriverValue(value)),
  };
  return kind === "text" && enumValues !== undefined ? { ...column, values: enumValues } : column;
}
