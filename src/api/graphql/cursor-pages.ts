import { addRowComparison, type CursorCondition, findCursors } from "./row-comparison.ts";

/** A statement with the values of its parameters. */
export type Query = { text: string; values: unknown[] };

/** Whether a column, as statements have it, may be null. */
export type IsNullable = (column: string) => boolean;

/** Reads a page. Where it begins at a cursor, nulls are part of the list. */
export async function readAtCursor<Answer extends { rows: object[] }>(
  query: Query,
  isNullable: IsNullable,
  read: (query: Query) => Promise<Answer>,
): Promise<Answer> {
  const [first = query, second] = pagesAtCursor(query, isNullable);
  const answer = await read(first);
  const left = limitOf(query) - answer.rows.length;
  if (second === undefined || left <= 0) return answer;
  const { rows } = await read(second);
  return { ...answer, rows: [...answer.rows, ...rows.slice(0, left)] };
}

/**
 * The statements that together bring the page at a cursor, to be run in this order until the page is full.
 *
 * Ponder compares with `<` and `>`, which is never true of null, so that its pages end where the nulls begin. Postgres sorts
 * nulls above all values. Beside the rows without a null there is thus a second part, those with one, and each part is read from
 * the index in its order; a condition for both would read all rows before the cursor.
 */
export function pagesAtCursor(query: Query, isNullable: IsNullable): Query[] {
  const ordered = findCursors(query.text, query.values).find((cursor) => isOrder(query.text, cursor));
  const first = ordered?.columns[0];
  if (ordered === undefined || first === undefined || !isNullable(first)) {
    return [{ ...query, text: addRowComparison(query.text, query.values) }];
  }
  const within = (condition: string) => replaced(query, ordered, condition);
  if (valueAt(query, ordered.places[0]) !== null) {
    const page = { ...query, text: addRowComparison(query.text, query.values) };
    return ordered.operator === ">=" ? [page, within(`${first} is null`)] : [page];
  }
  const rest = within(`(${first} is null and ${restOf(query, ordered)})`);
  return ordered.operator === ">=" ? [rest] : [rest, within(`${first} is not null`)];
}

/** How many rows a page may have at most. */
function limitOf({ text, values }: Query): number {
  const place = / limit (\$\d+)$/.exec(text)?.[1];
  const limit = place === undefined ? undefined : values[Number(place.slice(1)) - 1];
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}

/** Whether the statement is in the order of the cursor. */
function isOrder(statement: string, { columns, operator }: CursorCondition): boolean {
  const direction = operator === ">=" ? "asc" : "desc";
  return statement.includes(
    ` order by ${columns.map((column) => `${column} ${direction}`).join(", ")} limit `,
  );
}

/** The comparison of the columns after the first. Columns that the statement fixes are left out, so that an index can begin there. */
function restOf(query: Query, cursor: CursorCondition): string {
  const siblings = siblingsOf(query.text, cursor);
  const open = cursor.columns.flatMap((column, at) => {
    const [, fixed] = siblings.match(new RegExp(`${escaped(column)} = (\\$\\d+)`)) ?? [];
    const place = cursor.places[at] ?? "";
    const isFixed = fixed !== undefined && String(valueAt(query, fixed)) === String(valueAt(query, place));
    return at === 0 || isFixed ? [] : [{ column, place }];
  });
  if (open.length === 0) return "true";
  const columns = open.map(({ column }) => column).join(", ");
  return `(${columns}) ${cursor.operator} (${open.map(({ place }) => place).join(", ")})`;
}

/** The conditions that hold beside the cursor's, without what is in parentheses; empty if one of several may hold. */
function siblingsOf(statement: string, { start, text }: CursorCondition): string {
  const before = [...statement.slice(0, start)].reverse();
  const left = outside(before, ")", "(").reverse().join("");
  const right = outside([...statement.slice(start + text.length)], "(", ")").join("");
  const siblings = `${left} ${right}`.replace(/^.* where /, "").replace(/ order by .*$/, "");
  return siblings.includes(" or ") ? "" : siblings;
}

/** What comes before the parenthesis that ends the group, without what is in other parentheses. */
function outside(characters: string[], opens: string, closes: string): string[] {
  const found: string[] = [];
  let depth = 0;
  for (const character of characters) {
    if (character === closes && depth === 0) break;
    if (character === opens) depth++;
    else if (character === closes) depth--;
    else if (depth === 0) found.push(character);
  }
  return found;
}

/** The statement with another condition, and its parameters numbered anew: Postgres refuses one that is not used. */
function replaced({ text, values }: Query, cursor: CursorCondition, condition: string): Query {
  const changed = text.slice(0, cursor.start) + condition + text.slice(cursor.start + cursor.text.length);
  const used: unknown[] = [];
  const numbers = new Map<string, number>();
  const numbered = changed.replace(/\$(\d+)/g, (_, place: string) => {
    if (!numbers.has(place)) numbers.set(place, used.push(values[Number(place) - 1]));
    return `$${numbers.get(place)}`;
  });
  return { text: numbered, values: used };
}

const valueAt = ({ values }: Query, place = "") => values[Number(place.slice(1)) - 1];

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
