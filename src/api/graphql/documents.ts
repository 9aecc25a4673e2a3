import { type DocumentNode, GraphQLError, parse } from "graphql";
import { LRUCache } from "lru-cache";
import { graphqlLimits } from "./limits.ts";
import { QueryRefusal } from "./refusal.ts";

/** Characters of the queries that are kept as they were read. */
const keptCharacters = 1_000_000;

/**
 * Reads queries, and keeps what they were read as: programs ask the same ones again and again.
 *
 * @throws QueryRefusal with the code `syntax_error`
 */
export function createDocuments(): (query: string) => DocumentNode {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: keptCharacters,
    sizeCalculation: (_, query) => Math.max(1, query.length),
  });
  return (query) => {
    const known = documents.get(query);
    if (known !== undefined) return known;
    const document = read(query);
    documents.set(query, document);
    return document;
  };
}

function read(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: graphqlLimits.tokens });
  } catch (error) {
    if (error instanceof GraphQLError) throw new QueryRefusal("syntax_error", error.message);
    // Thousands of brackets inside each other.
    throw new QueryRefusal("syntax_error", "The query can't be read.");
  }
}
