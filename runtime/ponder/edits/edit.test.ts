import { expect, test } from "vitest";
import { applied } from "./edit.ts";

const edit = { file: "store.js", from: "slow()", to: "fast()" };

test("replaces the piece, whatever it is replaced by", () => {
  expect(applied("await slow();", edit)).toBe("await fast();");
  expect(applied("await slow();", { ...edit, to: "$&" })).toBe("await $&;");
});

test.each(["await other();", "slow(); slow();"])(
  "refuses code in which the piece is not exactly once: %s",
  (code) => {
    expect(() => applied(code, edit)).toThrow(/^Ponder has changed \(store\.js\).*slow\(\)$/);
  },
);
