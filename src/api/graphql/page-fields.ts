import { createTableRelationsHelpers, extractTablesRelationalConfig, is, Many } from "drizzle-orm";
import { isPgView } from "drizzle-orm/pg-core";

/**
 * The names of the GraphQL fields that answer with a page of rows: the plural of every table and view, and every
 * "many" relation, as Ponder derives them from the schema.
 */
export function pageFields(schema: Record<string, unknown>): Set<string> {
  const { tables } = extractTablesRelationalConfig(schema, createTableRelationsHelpers);
  const names = Object.values(tables).flatMap((table) => [
    plural(table.tsName),
    ...Object.entries(table.relations).flatMap(([name, relation]) => (is(relation, Many) ? [name] : [])),
  ]);
  const views = Object.entries(schema).flatMap(([name, value]) => (isPgView(value) ? [plural(name)] : []));
  return new Set([...names, ...views]);
}

function plural(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}s`;
}
