import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  parse,
  type SelectionSetNode,
} from "graphql";
import type { Context, MiddlewareHandler } from "hono";
import { LRUCache } from "lru-cache";
import { createTickBudget } from "../concurrency/event-loop.ts";
import { unknownField, unknownParameter } from "../http/router.ts";
import type { Variables } from "./arguments.ts";
import { graphqlLimits } from "./limits.ts";
import { type QueryCost, queryCost } from "./query-cost.ts";
import { QueryRefusal, refusalBody, respond } from "./refusal.ts";
import type { TableStatistics } from "./table-statistics.query.ts";
import { type ApiSchema, readApiSchema } from "./tables.ts";

export type QueryCheckOptions = {
  /** The exports of ponder.schema.ts. */
  schema: Record<string, unknown>;
  /** The indexed chains. */
  chainIds: number[];
  statistics: () => Promise<TableStatistics>;
};

/** What the check passes on to the following middleware. */
export type CheckedQuery = {
  Variables: { queryCost: QueryCost; query: GraphqlRequest & { document: DocumentNode } };
};

/**
 * Refuses a query that reads too much, or that would not do what it says, before it reaches the database. Responds with an error
 * in GraphQL's shape.
 */
export function checkQuery({
  schema: exports,
  chainIds,
  statistics,
}: QueryCheckOptions): MiddlewareHandler<CheckedQuery> {
  const schema = readApiSchema(exports);
  // A list of another chain would be empty, as if nothing had happened there.
  for (const { columns } of schema.tables.values()) {
    const column = columns.get("chainId");
    if (column !== undefined) columns.set("chainId", { ...column, values: chainIds.map(String) });
  }
  const yieldWhenSpent = createTickBudget();
  const read = createQueryParser();
  return async (c, next) => {
    // Only JSON: browsers send other formats from any web page without a CORS preflight.
    if (
      c.req.method === "POST" &&
      !c.req.header("content-type")?.toLowerCase().startsWith("application/json")
    ) {
      const message = "Send the query as JSON: set Content-Type to application/json.";
      return respond(c, refusalBody("unsupported_media_type", message), { status: 415 });
    }
    try {
      const request = await readRequest(c);
      if (typeof request === "string")
        return respond(c, refusalBody("malformed_request", request), { status: 400 });
      await yieldWhenSpent();
      const document = read(request.query);
      const { variables } = request;
      refuseUnknownVariables(document, variables);
      c.set("queryCost", check(document, { variables, schema, statistics: await statistics() }));
      c.set("query", { ...request, document });
    } catch (error) {
      if (!(error instanceof QueryRefusal)) throw error;
      return respond(c, refusalBody(error.code, error.message), { refused: true });
    }
    await next();
  };
}

type CheckOptions = { variables: Variables; schema: ApiSchema; statistics: TableStatistics };

function check(document: DocumentNode, options: CheckOptions): QueryCost {
  if (querySize(document) > graphqlLimits.fields) {
    throw new QueryRefusal(
      "query_too_large",
      `The query has more than ${graphqlLimits.fields} fields with its fragments expanded: split it into several queries.`,
    );
  }
  const { depth, aliases } = queryShape(document);
  if (depth > graphqlLimits.depth) throw tooLarge("depth", depth, graphqlLimits.depth);
  if (aliases > graphqlLimits.aliases) throw tooLarge("aliases", aliases, graphqlLimits.aliases);
  const cost = queryCost(document, options);
  if (cost.total > graphqlLimits.cost) throw new QueryRefusal("query_too_expensive", explain(cost));
  return cost;
}

function explain({ total, reading, mostExpensive }: QueryCost): string {
  const advice =
    mostExpensive === undefined || total - reading > graphqlLimits.cost
      ? 'ask for fewer rows with "limit", or split the query'
      : `"${mostExpensive.field}" makes the database read many rows that are not returned, since no index matches its conditions and order. Filter by the first columns of an index, and order by the next one: ${indexesOf(mostExpensive.table)}`;
  return `The query may read about ${Math.ceil(total)} rows, but only ${graphqlLimits.cost} are allowed: ${advice}.`;
}

function indexesOf({ indexes }: { indexes: string[][] }): string {
  return [...new Set(indexes.map((columns) => `(${columns.join(", ")})`))].join(", ");
}

function tooLarge(what: string, size: number, max: number): QueryRefusal {
  const message = `The query exceeds the ${what} limit of ${max} with ${size}: split it into several queries.`;
  return new QueryRefusal("query_too_large", message);
}

/** Total length of the queries whose parsed form is cached. */
const maxCachedCharacters = 1_000_000;

/**
 * Returns a function that parses queries, and caches them: programs send the same ones again and again.
 *
 * @throws QueryRefusal with the code `syntax_error`
 */
function createQueryParser(): (query: string) => DocumentNode {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: maxCachedCharacters,
    sizeCalculation: (_, query) => Math.max(1, query.length),
  });
  return (query) => {
    const parsed = documents.get(query);
    if (parsed !== undefined) return parsed;
    const document = parseQuery(query);
    documents.set(query, document);
    return document;
  };
}

function parseQuery(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: graphqlLimits.tokens });
  } catch (error) {
    if (error instanceof GraphQLError) throw new QueryRefusal("syntax_error", error.message);
    // Thousands of nested brackets overflow the stack.
    throw new QueryRefusal("syntax_error", "The query can't be read.");
  }
}

type Shape = { depth: number; aliases: number };

/**
 * Returns how deep fields are nested and how many are aliased, with fragments expanded. Each fragment is measured once, and must not
 * contain itself.
 */
function queryShape(document: DocumentNode): Shape {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const shapes = new Map<string, Shape>();

  function fragmentShape(name: string): Shape {
    const shape = shapes.get(name) ?? selectionShape(fragments.get(name)?.selectionSet);
    shapes.set(name, shape);
    return shape;
  }

  function selectionShape(set: SelectionSetNode | undefined): Shape {
    const shape = { depth: 0, aliases: 0 };
    for (const selection of set?.selections ?? []) {
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? fragmentShape(selection.name.value)
          : selectionShape(selection.selectionSet);
      const isField = selection.kind === Kind.FIELD;
      shape.depth = Math.max(shape.depth, inner.depth + (isField ? 1 : 0));
      shape.aliases += inner.aliases + (isField && selection.alias !== undefined ? 1 : 0);
    }
    return shape;
  }

  const whole = { depth: 0, aliases: 0 };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, aliases } = selectionShape(definition.selectionSet);
    whole.depth = Math.max(whole.depth, depth);
    whole.aliases += aliases;
  }
  return whole;
}

/**
 * Counts a query's fields with its fragments expanded: a chain of fragments that each use the next one twice doubles at every link,
 * and executing it visits every field. Takes time linear in the text, since each fragment is counted once.
 *
 * @returns the number of fields in all operations; Infinity if a fragment contains itself
 */
export function querySize(document: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const sizes = new Map<string, number>();

  function fragmentSize(name: string): number {
    const cached = sizes.get(name);
    if (cached !== undefined) return cached;
    const fragment = fragments.get(name);
    if (fragment === undefined) return 0;
    // Found if the fragment turns out to contain itself.
    sizes.set(name, Number.POSITIVE_INFINITY);
    const size = selectionSize(fragment.selectionSet);
    sizes.set(name, size);
    return size;
  }

  function selectionSize({ selections }: SelectionSetNode): number {
    let size = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) size += 1 + fragmentSize(selection.name.value);
      else size += 1 + (selection.selectionSet === undefined ? 0 : selectionSize(selection.selectionSet));
    }
    return size;
  }

  let size = 0;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) size += selectionSize(definition.selectionSet);
  }
  return size;
}

type GraphqlRequest = { query: string; variables: Variables; operationName: string | undefined };

type UncheckedRequest = {
  query?: unknown;
  variables?: unknown;
  operationName?: unknown;
  extensions?: unknown;
};

/** What a body or a URL may have, by the specification of GraphQL over HTTP. */
const requestFields = ["query", "variables", "operationName", "extensions"];

/**
 * Reads the query from the body or, for GET, from the URL. Returns what is wrong with a malformed request.
 *
 * @throws QueryRefusal for the hash of a query in its place
 */
async function readRequest(c: Context): Promise<GraphqlRequest | string> {
  const isGet = c.req.method === "GET";
  const malformed = isGet
    ? 'The URL must have a "query" and, if there are any, "variables" and "extensions" as JSON objects.'
    : 'The body must be a JSON object with a string "query".';
  const request: UncheckedRequest | null | undefined = isGet
    ? readUrl(c)
    : await c.req.json().catch(() => undefined);
  if (Array.isArray(request))
    return `${malformed} Batches of queries are not supported: send each by itself.`;
  if (typeof request !== "object" || request === null) return malformed;
  // A misspelled "variables" would otherwise be a query without its conditions.
  const unknown = Object.keys(request).find((name) => !requestFields.includes(name));
  const refuse = isGet ? unknownParameter : (name: string, names: string[]) => unknownField([name], names);
  if (unknown !== undefined) return `"${shorten(unknown)}" ${refuse(unknown, requestFields).message}`;
  const { query, variables, operationName, extensions } = request;
  if (query === undefined && isPersisted(extensions)) {
    throw new QueryRefusal("PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported");
  }
  if (typeof query !== "string" || !isVariables(variables)) return malformed;
  if (!(operationName === undefined || operationName === null || typeof operationName === "string"))
    return malformed;
  return { query, variables: variables ?? {}, operationName: operationName || undefined };
}

/** Throws a QueryRefusal if no operation declares one of the variables: a misspelled condition would otherwise be none. */
function refuseUnknownVariables(document: DocumentNode, variables: Variables): void {
  const declared = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
      : [],
  );
  const unknown = Object.keys(variables).find((name) => !declared.includes(name));
  if (unknown === undefined) return;
  const names = declared.map((name) => `$${name}`).join(", ");
  const advice = names === "" ? "it declares none" : `it declares ${names}`;
  throw new QueryRefusal("invalid_query", `The query has no variable $${shorten(unknown)}: ${advice}.`);
}

/** Names of clients' own are shown no longer than this. */
const shorten = (name: string) => name.slice(0, 40);

function readUrl(c: Context): UncheckedRequest | undefined {
  const { variables, extensions, ...others } = c.req.query();
  const parse = (text: string | undefined): unknown => (text ? JSON.parse(text) : undefined);
  try {
    return { ...others, variables: parse(variables), extensions: parse(extensions) };
  } catch {
    return undefined;
  }
}

/** Whether a client sends a query's hash, as Apollo's and urql's do: by this refusal they know to send the query itself. */
const isPersisted = (extensions: unknown) =>
  typeof extensions === "object" && extensions !== null && "persistedQuery" in extensions;

function isVariables(value: unknown): value is Variables | null | undefined {
  return value === undefined || value === null || (typeof value === "object" && !Array.isArray(value));
}
