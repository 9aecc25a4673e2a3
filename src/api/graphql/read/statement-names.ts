import { LRUCache } from "lru-cache";

/** Statements that each connection keeps. A connection never forgets one, so there is an end to them. */
const mostNames = 200;
/** From then on it is asked often. */
const timesToBeNamed = 3;

/**
 * Names the statements that are asked often: each connection parses and plans these once. The others, such as each client's own
 * experiments, have no name.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const asked = new LRUCache<string, number>({ max: 1_000 });
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size === mostNames) return known;
    const times = (asked.get(text) ?? 0) + 1;
    asked.set(text, times);
    if (times < timesToBeNamed) return undefined;
    const name = `graphql_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}
