import type { GraphQLFieldResolver, GraphQLObjectType, GraphQLSchema } from "graphql";
import type { ApiSchema, ApiTable, Relation } from "../tables.ts";
import { type Batches, createBatches } from "./batches.ts";
import type { Row } from "./column-list.ts";
import { readIndexStatus } from "./index-status.query.ts";
import type { PageArguments } from "./page-statement.query.ts";
import { readKeyed } from "./read-keyed.ts";
import { readPage, readPagesOf } from "./read-pages.ts";
import type { ReadRows } from "./read-rows.ts";
import { pageSelection, rowSelection } from "./selection.ts";

/** What the resolvers of one query share. */
export type ReadContext = { read: ReadRows; batches: Batches };

export const createContext = (read: ReadRows): ReadContext => ({ read, batches: createBatches() });

type Resolver<Arguments = object> = GraphQLFieldResolver<Row, ReadContext, Arguments>;

/**
 * Has the fields of Ponder's schema read what is asked of them and no more: the columns that are selected, and the rows that hang
 * on the rows of a list in one statement. Ponder's own ask for all columns, and once for each row of the list.
 */
export function resolveByBatches(schema: GraphQLSchema, { tables, query }: ApiSchema): void {
  const queryFields = (schema.getQueryType() as GraphQLObjectType).getFields();
  for (const [name, relation] of query) {
    const field = queryFields[name];
    if (field === undefined) throw new Error(`Invariant(${name}): Ponder has no such field of a query`);
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
      field.resolve = (relation.kind === "page" ? pagesResolver : rowResolver)(relation, table) as Resolver;
    }
  }
}

/** A list at the top. */
function pageResolver(table: ApiTable): Resolver<PageArguments> {
  return (_, args, { read }, info) => readPage(read, { table, args, selection: pageSelection(info, table) });
}

/** One row at the top. */
function keyResolver(table: ApiTable): Resolver<Row> {
  return async (_, args, { read }, info) => {
    const key = table.key.map((name) => table.columns.get(name)?.encode(args[name]));
    const request = { table, by: table.key, columns: rowSelection(info, table) };
    return (await readKeyed(read, [key], request))[0];
  };
}

/** The lists that hang on rows. */
function pagesResolver(relation: Relation, table: ApiTable): Resolver<PageArguments> {
  return (row, args, { read, batches }, info) =>
    batches.add(info.fieldNodes, row, (rows) =>
      readPagesOf(read, rows, relation, { table, args, selection: pageSelection(info, table) }),
    );
}

/** The rows that rows lead to. */
function rowResolver({ own, columns }: Relation, table: ApiTable): Resolver {
  return (row, _, { read, batches }, info) =>
    batches.add(
      info.fieldNodes,
      own.map((name) => row[name]),
      (keys) => readKeyed(read, keys, { table, by: columns, columns: rowSelection(info, table) }),
    );
}

function tableOf({ table }: Relation, tables: ApiSchema["tables"]): ApiTable {
  const found = tables.get(table);
  if (found === undefined) throw new Error(`Invariant(${table}): no such table`);
  return found;
}
