import { expect, test } from "vitest";
import { pagesAtCursor, readAtCursor } from "./cursor-pages.ts";

const isNullable = (column: string) => column === '"t"."at"';
const order = (direction: string) =>
  ` order by "t"."at" ${direction}, "t"."chain" ${direction}, "t"."id" ${direction} limit $7`;
const condition = (more: string) =>
  `("t"."at" ${more} $2 or ("t"."at" = $3 and ("t"."chain" ${more} $4 or ("t"."chain" = $5 and "t"."id" ${more}= $6))))`;
const page = (more: string, direction: string, at: unknown, where = '"t"."chain" = $1 and ') => ({
  text: `select * from "t" where (${where}${condition(more)})${order(direction)}`,
  values: [56, at, at, 56, 56, "x", 3],
});

const beginsAt = (given: ReturnType<typeof page>) =>
  pagesAtCursor(given, isNullable).map(({ text, values }) => [
    text.replace(/^.* where /, "").replace(/ order by .*$/, ""),
    values,
  ]);

test("upwards from a value: the values above it, then the nulls", () => {
  const [first, second] = pagesAtCursor(page(">", "asc", 5), isNullable);
  expect(first?.text).toContain('("t"."at", "t"."chain", "t"."id") >= ($2, $4, $6)');
  expect(second).toEqual({
    text: 'select * from "t" where ("t"."chain" = $1 and "t"."at" is null) order by "t"."at" asc, "t"."chain" asc, "t"."id" asc limit $2',
    values: [56, 3],
  });
});

test("upwards from a null: the nulls behind it, by an index that begins there", () => {
  expect(beginsAt(page(">", "asc", null))).toEqual([
    ['("t"."chain" = $1 and ("t"."at" is null and ("t"."id") >= ($2)))', [56, "x", 3]],
  ]);
});

test("downwards from a null: the nulls behind it, then the values", () => {
  expect(beginsAt(page("<", "desc", null))).toEqual([
    ['("t"."chain" = $1 and ("t"."at" is null and ("t"."id") <= ($2)))', [56, "x", 3]],
    ['("t"."chain" = $1 and "t"."at" is not null)', [56, 3]],
  ]);
});

test("downwards from a value no nulls are left", () => {
  expect(pagesAtCursor(page("<", "desc", 5), isNullable)).toHaveLength(1);
});

test.each([
  ["nothing else is asked", ""],
  ["another chain is asked for", '"t"."chain" = $7 and '],
  ["the chain is one of several conditions", '"t"."chain" = $1 or '],
])("the comparison has every column where %s", (_, where) => {
  const [[text] = []] = beginsAt(page(">", "asc", null, where));
  expect(text).toMatch(/is null and \("t"\."chain", "t"\."id"\) >= \(/);
});

test.each([
  [
    "a list in another order",
    {
      ...page(">", "asc", null),
      text: page(">", "asc", null).text.replace('order by "t"."at"', 'order by "t"."by"'),
    },
  ],
  ["a statement without a cursor", { text: 'select * from "t" limit $1', values: [3] }],
])("%s stays one statement", (_, query) => {
  expect(pagesAtCursor(query, isNullable)).toHaveLength(1);
});

test("the second part is read only as far as the page has room for it", async () => {
  const read = async (found: object[][]) => {
    const { rows } = await readAtCursor(page("<", "desc", null), isNullable, async () => ({
      rows: found.shift() ?? [],
    }));
    return [rows.length, found.length];
  };
  const rows = (count: number) => Array.from({ length: count }, () => ({}));
  expect(await read([rows(3), rows(3)])).toEqual([3, 1]);
  expect(await read([rows(2), rows(3)])).toEqual([3, 0]);
  expect(await read([rows(0), rows(2)])).toEqual([2, 0]);
});
