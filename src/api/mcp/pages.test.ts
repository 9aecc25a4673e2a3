import { expect, test } from "vitest";
import { fittingRows, maxCharacters, readFittingPage, readNumberedPage } from "./pages.ts";
import { ToolError } from "./tool.ts";

const rows = Array.from({ length: 50 }, (_, index) => ({ index, text: "x".repeat(1_000) }));

/** A list with numbered pages. */
async function readNumbered({ page, limit }: { page: number; limit: number }) {
  return { rows: rows.slice((page - 1) * limit, page * limit), hasMore: page * limit < rows.length };
}

test.each([30, 7])(
  "each row of numbered pages of %i comes once, also if a later call's limit differs",
  async (limit) => {
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await readNumberedPage(
        "list",
        { cursor, limit: cursor === undefined ? limit : 11 },
        readNumbered,
      );
      expect(JSON.stringify(page.rows).length).toBeLessThan(maxCharacters);
      seen.push(...page.rows.map(({ index }) => index));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(rows.map(({ index }) => index));
  },
);

test("a cursor of another numbered list is refused, since it would skip this one's first rows", async () => {
  const { nextCursor } = await readNumberedPage("list", { cursor: undefined, limit: 7 }, readNumbered);
  const cursor = nextCursor ?? "";
  await expect(readNumberedPage("other", { cursor, limit: 7 }, readNumbered)).rejects.toThrow(
    /same other arguments/,
  );
});

test("a row that is too large for any page is returned alone, so that paging continues", () => {
  const huge = [{ text: "x".repeat(2 * maxCharacters) }, { text: "y" }];
  expect(fittingRows(huge)).toHaveLength(1);
});

test("the list's own cursor leads to rows that don't fit, wherever they are by then", async () => {
  const list = [...rows];
  async function read({ cursor = "-1", limit }: { cursor: string | undefined; limit: number }) {
    const following = list.filter(({ index }) => index > Number(cursor));
    const page = following.slice(0, limit);
    return { rows: page, nextCursor: following.length > limit ? String(page.at(-1)?.index) : null };
  }
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await readFittingPage({ cursor, limit: 30 }, read);
    expect(JSON.stringify(page.rows).length).toBeLessThan(maxCharacters);
    seen.push(...page.rows.map(({ index }) => index));
    cursor = page.nextCursor ?? undefined;
    // What was read leaves the list.
    list.splice(0, page.rows.length);
  } while (cursor !== undefined);
  expect(seen).toEqual(rows.map(({ index }) => index));

  list.push({ index: 50, text: "x".repeat(2 * maxCharacters) }, { index: 51, text: "y" });
  expect((await readFittingPage({ cursor: undefined, limit: 30 }, read)).rows).toHaveLength(1);
  const numbered =
    (await readNumberedPage("list", { cursor: undefined, limit: 7 }, readNumbered)).nextCursor ?? "";
  await expect(readFittingPage({ cursor: numbered, limit: 30 }, read)).rejects.toThrow(ToolError);
});

test.each([
  "",
  "nonsense",
  ...[
    "{}",
    '{"at":1}',
    '{"at":"2","skip":0}',
    '{"list":"list","page":0,"limit":1,"skip":0}',
    '{"list":"list","page":1,"limit":1,"skip":-1}',
  ].map((text) => Buffer.from(text).toString("base64url")),
])("%j is not a cursor", async (cursor) => {
  const read = () => Promise.resolve({ rows: [], nextCursor: null, hasMore: false });
  await expect(readFittingPage({ cursor, limit: 1 }, read)).rejects.toThrow(ToolError);
  await expect(readNumberedPage("list", { cursor, limit: 1 }, read)).rejects.toThrow(ToolError);
});
