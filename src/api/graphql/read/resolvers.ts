import type { GraphQLFieldResolver, GraphQLObjectType, GraphQLSchema } from "graphql";
import type { ApiSchema, ApiTable, Relation } from "../tables.ts";
import type { Row } from "./column-list.ts";
import { createFieldBatcher, type FieldBatcher } from "./field-batcher.ts";
import { readIndexStatus } from "./index-status.query.ts";
import type { PageArguments } from "./page-statement.query.ts";
import { readByKeys } from "./read-by-keys.ts";
import { readPage, readPagesOf } from "./read-pages.ts";
import type { ReadRows } from "./read-rows.ts";
import { pageSelection, rowSelection } from "./selection.ts";

/** What the resolvers of one query share. */
export type ReadContext = { read: ReadRows; batcher: FieldBatcher };

export const createContext = (read: ReadRows): ReadContext => ({ read, batcher: createFieldBatcher() });

type Resolver<Arguments = object> = GraphQLFieldResolver<Row, ReadContext, Arguments>;

/**
 * Replaces the resolvers of Ponder's schema by ones that read only the selected columns, and the related rows of a whole list in one
 * statement. Ponder's own read all columns, and run a statement for each row of the list.
 */
export function resolveByBatches(schema: GraphQLSchema, { tables, query }: ApiSchema): void {
  const queryFields = (schema.getQueryType() as GraphQLObjectType).getFields();
  for (const [name, relation] of query) {
    const field = queryFields[name];
    if (field === undefined) throw new Error(`Invariant(${name}): Ponder's Query has no such field`);
    const table = tableOf(relation, tables);
    field.resolve = (relation.kind === "page" ? pageResolver(table) : keyResolver(table)) as Resolver;
  }
  const meta = queryFields._meta;
  if (meta !== undefined) meta.resolve = ((_, __, { read }) => readIndexStatus(read)) as Resolver;
  for (const { name, relations } of tables.values()) {
    const fields = (schema.getType(name) as GraphQLObjectType).getFields();
    for (const [relationName, relation] of relations) {
      const field = fields[relationName];
      if (field === undefined)
        throw new Error(`Invariant(${name}.${relationName}): Ponder has no such field`);
      const table = tableOf(relation, tables);
      field.resolve = (relation.kind === "page" ? relatedPageResolver : relatedRowResolver)(
        relation,
        table,
      ) as Resolver;
    }
  }
}

/** A page of a top-level list. */
function pageResolver(table: ApiTable): Resolver<PageArguments> {
  return (_, args, { read }, info) => readPage(read, { table, args, selection: pageSelection(info, table) });
}

/** A top-level row by its key. */
function keyResolver(table: ApiTable): Resolver<Row> {
  return async (_, args, { read }, info) => {
    const key = table.key.map((name) => table.columns.get(name)?.encode(args[name]));
    const request = { table, by: table.key, columns: rowSelection(info, table) };
    return (await readByKeys(read, [key], request))[0];
  };
}

/** A page of rows related to a row. */
function relatedPageResolver(relation: Relation, table: ApiTable): Resolver<PageArguments> {
  return (row, args, { read, batcher }, info) =>
    batcher.add(info.fieldNodes, row, (rows) =>
      readPagesOf(read, rows, relation, { table, args, selection: pageSelection(info, table) }),
    );
}

/** The one row that a row refers to. */
function relatedRowResolver({ own, columns }: Relation, table: ApiTable): Resolver {
  return (row, _, { read, batcher }, info) =>
    batcher.add(
      info.fieldNodes,
      own.map((name) => row[name]),
      (keys) => readByKeys(read, keys, { table, by: columns, columns: rowSelection(info, table) }),
    );
}

function tableOf({ table }: Relation, tables: ApiSchema["tables"]): ApiTable {
  const found = tables.get(table);
  if (found === undefined) throw new Error(`Invariant(${table}): no such table`);
  return found;
}
