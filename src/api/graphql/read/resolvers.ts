import type { GraphQLFieldResolver, GraphQLSchema } from "graphql";
import { chainEventId, splitEventId } from "../../market/event-id.ts";
import { type ApiSchema, type ApiTable, type Relation, tableOf } from "../tables.ts";
import { type Row, toRow } from "./column-list.ts";
import { readIndexStatus } from "./index-status.query.ts";
import { type Page, readPage, readPagesOf } from "./read-pages.ts";
import { type Pin, pinOf, pinRows, type ReadRows, readPinned } from "./read-rows.ts";
import { pageSelection, rowSelection } from "./selection.ts";
import { type PageArguments, rowStatement } from "./statements.query.ts";

/** What the resolvers of one query share. */
export type ReadContext = { read: ReadRows };

type Resolver<Arguments = object> = GraphQLFieldResolver<Row, ReadContext, Arguments>;

/**
 * Replaces the resolvers of Ponder's schema by ones that read only the selected columns, and the related rows of a whole list in one
 * statement. Ponder's own read all columns, and run a statement for each row of the list.
 */
export function resolveByBatches(schema: GraphQLSchema, { tables, query }: ApiSchema): void {
  for (const [name, relation] of query) {
    const table = tableOf(relation.table, tables);
    fieldOf(schema, "Query", name).resolve =
      relation.kind === "page" ? pageResolver(table) : keyResolver(table);
  }
  const readMeta: Resolver = (_, __, { read }) => readIndexStatus(read);
  fieldOf(schema, "Query", "_meta").resolve = readMeta;
  for (const { name: type, columns, relations } of tables.values()) {
    for (const [name, { kind }] of columns) {
      if (kind === "eventId") fieldOf(schema, type, name).resolve = eventIdResolver(name);
    }
    for (const [name, relation] of relations) {
      const table = tableOf(relation.table, tables);
      fieldOf(schema, type, name).resolve =
        relation.kind === "page" ? relatedPageResolver(relation, table) : relatedRowResolver(relation, table);
    }
  }
}

/** Returns a field of a type in Ponder's schema. Throws if there is none. */
export function fieldOf(schema: GraphQLSchema, type: string, name: string) {
  const object = schema.getType(type);
  const field = object !== undefined && "getInterfaces" in object ? object.getFields()[name] : undefined;
  if (field === undefined) throw new Error(`Invariant(${type}.${name}): Ponder's schema has no such field`);
  return field;
}

/** A page of a top-level list. */
function pageResolver(table: ApiTable): Resolver<PageArguments> {
  return (_, args, { read }, info) =>
    readPage(read, {
      table,
      args,
      selection: pageSelection(info, table),
      pin: toPin(args.block, args.where?.chainId),
    });
}

/** The check of the query has refused a block without a chain. */
const toPin = (block: PageArguments["block"], chainId: unknown): Pin | undefined =>
  block === undefined || block === null ? undefined : { chainId: Number(chainId), block: block.number };

/** The id of an event, with its chain. */
const eventIdResolver =
  (name: string): Resolver =>
  (row) =>
    row[name] === null ? null : chainEventId(Number(row.chainId), String(row[name]));

/** A top-level row by its key. The check of the query has refused an id of another chain. */
function keyResolver(table: ApiTable): Resolver<Row & Pick<PageArguments, "block">> {
  return async (_, args, { read }, info) => {
    const key = table.key.map((name) => {
      const column = table.columns.get(name);
      const value = column?.encode(args[name]);
      return column?.kind === "eventId" ? splitEventId(String(value))?.id : value;
    });
    const pin = toPin(args.block, args.chainId);
    const request = { table, by: table.key, columns: rowSelection(info, table), pin };
    return (await readByKeys(read, [key], request))[0];
  };
}

function relatedPageResolver(relation: Relation, table: ApiTable): Resolver<PageArguments> {
  const batcher = createFieldBatcher<Row, Page>();
  return (row, args, { read }, info) =>
    batcher.add(info.fieldNodes, row, (rows) =>
      readPagesOf(read, rows, relation, {
        table,
        args,
        selection: pageSelection(info, table),
        pin: pinOf(row),
      }),
    );
}

/** The one row that a row refers to. */
function relatedRowResolver({ own, columns }: Relation, table: ApiTable): Resolver {
  const batcher = createFieldBatcher<unknown[], Row | null>();
  return (row, _, { read }, info) =>
    batcher.add(
      info.fieldNodes,
      own.map((name) => row[name]),
      (keys) =>
        readByKeys(read, keys, { table, by: columns, columns: rowSelection(info, table), pin: pinOf(row) }),
    );
}

type Batch<Item, Answer> = { items: Item[]; answers: PromiseWithResolvers<Answer[]> };

/** Collects what the rows of one list need, so that it is read with one statement. */
function createFieldBatcher<Item, Answer extends object | null>() {
  const open = new Map<object, Batch<Item, Answer>>();
  return {
    /**
     * @param key identifies the items that belong together: graphql-js makes new `fieldNodes` for each field of each query that it runs
     * @param read gets all items added in the same turn of the event loop, and returns their answers in the same order
     */
    async add(key: object, item: Item, read: (items: Item[]) => Promise<Answer[]>): Promise<Answer> {
      let batch = open.get(key);
      if (batch === undefined) {
        const { items, answers }: Batch<Item, Answer> = { items: [], answers: Promise.withResolvers() };
        batch = { items, answers };
        open.set(key, batch);
        // Waits for all promises that are already resolved, so that rows of several pages share a batch.
        void Promise.resolve().then(() =>
          process.nextTick(() => {
            open.delete(key);
            read(items).then(answers.resolve, answers.reject);
          }),
        );
      }
      const index = batch.items.push(item) - 1;
      const answer = (await batch.answers.promise)[index];
      if (answer === undefined) throw new Error("Invariant(GraphQL): an answer of a batch is missing");
      return answer;
    },
  };
}

type KeysRequest = {
  table: ApiTable;
  /** The columns that make up the key. */
  by: string[];
  columns: string[];
  pin: Pin | undefined;
};

/** Reads the row of each key, in the order of the keys; null if there is none. */
async function readByKeys(
  read: ReadRows,
  requested: unknown[][],
  { table, by, columns, pin }: KeysRequest,
): Promise<(Row | null)[]> {
  const nameOf = (key: unknown[]) => JSON.stringify(key.map(String));
  const isComplete = (key: unknown[]) => key.every((value) => value !== null);
  const keys = new Map(requested.filter(isComplete).map((key) => [nameOf(key), key]));
  if (keys.size === 0) return requested.map(() => null);
  const parents = { columns: by, keys: [...keys.values()] };
  const keyedRows = await readPinned(read, pin)(rowStatement(table, columns, parents, pin));
  const names = [...keys.keys()];
  const rows = new Map(keyedRows.map((values) => [names[Number(values[0]) - 1], toRow(columns, values, 1)]));
  pinRows([...rows.values()], pin);
  return requested.map((key) => (isComplete(key) ? (rows.get(nameOf(key)) ?? null) : null));
}
