import { LRUCache } from "lru-cache";

/** Limits the named statements, since each connection keeps them as long as it lives. */
const maxNames = 200;
/** A statement gets its name when it is used this often. */
const usesUntilNamed = 3;

/**
 * Names the statements that are used often, so that each connection parses and plans them once. Others, such as clients'
 * experiments, stay unnamed.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const asked = new LRUCache<string, number>({ max: 1_000 });
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size === maxNames) return known;
    const times = (asked.get(text) ?? 0) + 1;
    asked.set(text, times);
    if (times < usesUntilNamed) return undefined;
    const name = `graphql_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}
