import fc from "fast-check";
import { expect, test } from "vitest";
import { displayNames } from "./display-name.ts";

const address = "0x1234567890abcdef1234567890abcdef12345afe";
const short = "0x1234...5afe";

test.each([
  ["Brave Otter", "OTTER", "Brave Otter", "OTTER"],
  ["  Brave \t\n Otter ", "\u00a0OTTER\u3000", "Brave Otter", "OTTER"],
  ["\u202egnp.exe\u202c", "\u2066A\u2069", "gnp.exe", "A"],
  ["\u001b[2Jx", "\u0007", "[2Jx", "[2Jx"],
  ["\u200b\u200d\ufeff\u00ad", "SYM", "SYM", "SYM"],
  ["", "", short, short],
  ["\u3164\u115f\uffa0", "\u2800 \u2800", short, short],
  ["\u0301", "\u{e0041}", short, short],
  ["\ud800", "\udfff", short, short],
  ["狗狗 🦦", "🦦", "狗狗 🦦", "🦦"],
  ["a\u200b b", "null", "a b", "null"],
  ["\ufffd(", "\ufffd", "\ufffd(", "\ufffd"],
  [`Z${"\u0303".repeat(50)}`, "\u0301 A\u0301", `Z${"\u0303".repeat(3)}`, "A\u0301"],
])("%j (%j) is shown as %j (%j)", (name, symbol, shownName, shownSymbol) => {
  expect(displayNames({ name, symbol, address })).toEqual({ name: shownName, symbol: shownSymbol });
});

test("every token gets a name, without invisible characters", () => {
  const text = fc
    .array(fc.oneof(fc.nat(0x2fff), fc.nat(0x10ffff), fc.constantFrom(0x20, 0x0a, 0xfeff, 0x200d)), {
      maxLength: 6,
    })
    .map((codes) => String.fromCodePoint(...codes));
  fc.assert(
    fc.property(text, text, (name, symbol) => {
      for (const shown of Object.values(displayNames({ name, symbol, address }))) {
        expect(shown).toMatch(/[\p{L}\p{N}\p{P}\p{S}]/u);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
        expect(shown).toBe(shown.trim());
      }
    }),
  );
});
