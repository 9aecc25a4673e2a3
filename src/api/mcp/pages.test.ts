import { expect, test } from "vitest";
import { fittingRows, maxCharacters, readFittingPage } from "./pages.ts";
import { ToolError } from "./tool.ts";

const rows = Array.from({ length: 50 }, (_, index) => ({ index, text: "x".repeat(1_000) }));

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
});

test.each([
  "",
  "nonsense",
  ...["{}", '{"at":1}', '{"at":"2","skip":0}'].map((text) => Buffer.from(text).toString("base64url")),
])("%j is not a cursor", async (cursor) => {
  const read = () => Promise.resolve({ rows: [], nextCursor: null });
  await expect(readFittingPage({ cursor, limit: 1 }, read)).rejects.toThrow(ToolError);
});
