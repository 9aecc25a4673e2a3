const column = String.raw`((?:"\w+"\.)*"\w+")`;
const link = new RegExp(String.raw`\(${column} (<|>) \$(\d+) or \(${column} = \$(\d+) and `, "y");
const end = new RegExp(String.raw`${column} (<=|>=) \$(\d+)(\)+)`, "y");

/** A cursor's condition in a statement of Ponder's: `(a < $1 or (a = $2 and b <= $3))`. */
export type CursorCondition = {
  /** Where it begins. */
  start: number;
  text: string;
  /** In the order of the list, the keys last. */
  columns: string[];
  /** The parameter of each column. */
  places: string[];
  operator: "<=" | ">=";
};

/**
 * Ponder asks for the rows after a cursor by `(a < $1 or (a = $2 and b <= $3))`, for which Postgres reads and drops every
 * row before the cursor. This adds the same as `(a, b) <= ($1, $3)`, where an index scan begins at once.
 *
 * @returns the statement, with that added to each such condition
 */
export function addRowComparison(statement: string, values: unknown[]): string {
  let changed = "";
  let at = 0;
  for (const { start, text, columns, places, operator } of findCursors(statement, values)) {
    const row = `(${columns.join(", ")}) ${operator} (${places.join(", ")})`;
    changed += `${statement.slice(at, start)}(${row} and ${text})`;
    at = start + text.length;
  }
  return changed + statement.slice(at);
}

/** Every cursor's condition in a statement. */
export function findCursors(statement: string, values: unknown[]): CursorCondition[] {
  const found: CursorCondition[] = [];
  for (let next = statement.indexOf('("'); next !== -1; ) {
    const cursor = cursorAt(statement, next, values);
    if (cursor !== undefined) found.push(cursor);
    next = statement.indexOf('("', next + (cursor?.text.length ?? 1));
  }
  return found;
}

/** The nested condition that begins at a place in the statement. */
function cursorAt(statement: string, start: number, values: unknown[]): CursorCondition | undefined {
  const columns: string[] = [];
  const places: string[] = [];
  let direction: string | undefined;
  let at = start;
  for (;;) {
    link.lastIndex = at;
    const [text, name = "", operator, more = "", same, equal = ""] = link.exec(statement) ?? [];
    if (text === undefined) break;
    // Others may write their filters alike.
    const isLink = name === same && values[Number(more) - 1] === values[Number(equal) - 1];
    if (!isLink || (direction ?? operator) !== operator) return undefined;
    direction = operator;
    columns.push(name);
    places.push(`$${more}`);
    at += text.length;
  }
  end.lastIndex = at;
  const [text, name = "", operator, value = "", closing = ""] = end.exec(statement) ?? [];
  const depth = 2 * columns.length;
  if (text === undefined || depth === 0 || closing.length < depth || operator !== `${direction}=`) {
    return undefined;
  }
  return {
    start,
    text: statement.slice(start, at + text.length - closing.length + depth),
    columns: [...columns, name],
    places: [...places, `$${value}`],
    operator: operator as "<=" | ">=",
  };
}
