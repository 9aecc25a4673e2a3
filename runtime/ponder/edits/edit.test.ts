import { expect, test } from "vitest";
import { applyEdit } from "./edit.ts";

const edit = { file: "store.js", from: "slow()", to: "fast()" };

test("replaces the piece, whatever the replacement contains", () => {
  expect(applyEdit("await slow();", edit)).toBe("await fast();");
  expect(applyEdit("await slow();", { ...edit, to: "$&" })).toBe("await $&;");
});

test.each(["await other();", "slow(); slow();"])(
  "refuses code in which the piece is not exactly once: %s",
  (code) => {
    expect(() => applyEdit(code, edit)).toThrow(/^Ponder has changed \(store\.js\).*slow\(\)$/);
  },
);

test("imports what the replacement uses, on the first line", () => {
  const file = new URL("../fast.ts", import.meta.url);
  expect(applyEdit("// 1\nawait slow();", { ...edit, imports: { "fast.ts": ["fast"] } })).toBe(
    `import { fast } from "${file}"; // 1\nawait fast();`,
  );
});
