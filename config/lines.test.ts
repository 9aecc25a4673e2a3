import { expect, test } from "vitest";
import { readLines } from "./lines.ts";

async function linesOf(text: string, chunkBytes: number): Promise<string[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const lines: string[] = [];
  for await (const line of readLines(chunks())) lines.push(line);
  return lines;
}

test.each([1, 2, 3, 1_000])("lines end at line feeds alone, in chunks of %i bytes", async (chunkBytes) => {
  const names = ["a\u2028b\u2029c\u0085d\u000be", "喵🦦", "", "x\ry"];
  expect(await linesOf(names.join("\n"), chunkBytes)).toEqual(names);
  expect(await linesOf(names.join("\r\n"), chunkBytes)).toEqual(names);
  expect(await linesOf("a\n", chunkBytes)).toEqual(["a"]);
  expect(await linesOf("", chunkBytes)).toEqual([]);
});
