import { expect, test } from "vitest";
import { fitPage, maxCharacters, readCursor } from "./pages.ts";
import { ToolError } from "./tool-error.ts";

const rows = Array.from({ length: 50 }, (_, index) => ({ index, text: "x".repeat(1_000) }));

test("rows that don't fit come with the next cursor, and each comes once", () => {
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const place = readCursor(cursor);
    const page = fitPage({ rows, next: undefined }, place);
    expect(JSON.stringify(page.rows).length).toBeLessThan(maxCharacters);
    seen.push(...page.rows.map(({ index }) => index));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(rows.map(({ index }) => index));
});

test("a page that fits is followed by the next one", () => {
  const { nextCursor } = fitPage({ rows: rows.slice(0, 2), next: "7" }, readCursor(undefined));
  expect(readCursor(nextCursor ?? "")).toEqual({ at: "7", skip: 0 });
});

test("a row that is too large for any page is returned alone, so that paging continues", () => {
  const huge = [{ text: "x".repeat(2 * maxCharacters) }, { text: "y" }];
  expect(fitPage({ rows: huge, next: undefined }, readCursor(undefined)).rows).toHaveLength(1);
});

test.each([
  "",
  "nonsense",
  Buffer.from("{}").toString("base64url"),
  Buffer.from('{"skip":-1}').toString("base64url"),
])("%j is not a cursor", (cursor) => expect(() => readCursor(cursor)).toThrow(ToolError));
