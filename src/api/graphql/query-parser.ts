import { type DocumentNode, GraphQLError, parse } from "graphql";
import { LRUCache } from "lru-cache";
import { graphqlLimits } from "./limits.ts";
import { QueryRefusal } from "./refusal.ts";

/** Total length of the queries whose parsed form is cached. */
const maxCachedCharacters = 1_000_000;

/**
 * Returns a function that parses queries, and caches them: programs send the same ones again and again.
 *
 * @throws QueryRefusal with the code `syntax_error`
 */
export function createQueryParser(): (query: string) => DocumentNode {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: maxCachedCharacters,
    sizeCalculation: (_, query) => Math.max(1, query.length),
  });
  return (query) => {
    const known = documents.get(query);
    if (known !== undefined) return known;
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
