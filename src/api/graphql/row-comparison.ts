const column = String.raw`((?:"\w+"\.)*"\w+")`;
const link = new RegExp(String.raw`\(${column} (<|>) \$(\d+) or \(${column} = \$(\d+) and `, "y");
const end = new RegExp(String.raw`${column} (<=|>=) \$(\d+)(\)+)`, "y");

type Found = { condition: string; row: string };

/**
 * Ponder asks for the rows after a cursor by `(a < $1 or (a = $2 and b <= $3))`, for which Postgres reads and drops every
 * row before the cursor. This adds the same as `(a, b) <= ($1, $3)`, where an index scan begins at once.
 *
 * @returns the statement, with that added to each such condition
 */
export function addRowComparison(statement: string, values: unknown[]): string {
  let changed = "";
  let at = 0;
  for (let next = statement.indexOf('("'); next !== -1; next = statement.indexOf('("', at)) {
    const found = cursorAt(statement, next, values);
    changed += statement.slice(at, next);
    changed += found === undefined ? "(" : `(${found.row} and ${found.condition})`;
    at = next + (found?.condition.length ?? 1);
  }
  return changed + statement.slice(at);
}

/** The nested condition that begins at a place in the statement, also as a row comparison. */
function cursorAt(statement: string, start: number, values: unknown[]): Found | undefined {
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
    condition: statement.slice(start, at + text.length - closing.length + depth),
    row: `(${[...columns, name].join(", ")}) ${operator} (${[...places, `$${value}`].join(", ")})`,
  };
}
