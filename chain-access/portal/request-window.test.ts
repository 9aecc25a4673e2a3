import fc from "fast-check";
import { expect, test } from "vitest";
import { createRequestWindow } from "./client.ts";

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
