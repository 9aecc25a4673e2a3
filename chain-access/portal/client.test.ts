import fc from "fast-check";
import { expect, test } from "vitest";
import { createRequestWindow, type Line, type LineLimits, readLines } from "./client.ts";

const wide = { lineLength: 1_000, bytes: 10_000 };

async function linesOf(chunks: Uint8Array[], limits: LineLimits = wide) {
  const lines: Line[] = [];
  for await (const line of readLines(chunks, limits, () => {})) lines.push(line);
  return lines;
}

test("lines are found however they arrive, and a truncated one is marked", async () => {
  const lines = fc.array(fc.string({ unit: fc.constantFrom("a", "ä", "€", "{") }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(lines, fc.string(), fc.integer({ min: 1, max: 9 }), async (whole, rest, size) => {
      const end = rest.replaceAll("\n", "");
      const bytes = Buffer.from([...whole, end].join("\n"));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(await linesOf(chunks)).toEqual([
        ...whole.map((text) => ({ text, isTerminated: true })),
        ...(end === "" ? [] : [{ text: end, isTerminated: false }]),
      ]);
    }),
  );
});

test.each([
  ["a line without an end", { lineLength: 10, bytes: 1_000 }, "more than 10 characters in a line"],
  ["lines without an end", { lineLength: 1_000, bytes: 30 }, "more than 30 bytes"],
])("%s are not kept", async (_, limits, message) => {
  await expect(
    linesOf([Buffer.from("12345\n12345\n123456789"), Buffer.from("123456789\n")], limits),
  ).rejects.toThrow(message);
});

test("a window never has more requests than allowed, and none waits needlessly", () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(gaps, (gaps) => {
      let at = 0;
      const window = createRequestWindow({ requests: 3, perMs: 100 }, () => at);
      const sent: number[] = [];
      for (const gap of gaps) {
        at += gap;
        const earliest = Math.max(at, sent.at(-1) ?? 0, (sent.at(-3) ?? -100) + 100);
        sent.push(at + window.reserve());
        expect(sent.at(-1)).toBe(earliest);
      }
    }),
  );
});
