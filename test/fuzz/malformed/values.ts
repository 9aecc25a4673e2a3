import fc from "fast-check";
import { anyCharacter } from "../any-character.ts";

/** Text that is known to crash services, and arbitrary text. Not URL-encoded. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...["", " ", "0", "-1", "-0", "1.5", "1e9", "0x10", "٣", "00000000000000000001", "4294967296"],
    ...["99999999999999999999", `1${"0".repeat(400)}`, "9007199254740993", "NaN", "Infinity", "-Infinity"],
    ...[
      "null",
      "undefined",
      "true",
      "[]",
      "{}",
      "[object Object]",
      "__proto__",
      "constructor",
      "hasOwnProperty",
    ],
    ...[
      "toString",
      "..",
      "../../etc/passwd",
      "..\\..\\",
      "/etc/passwd",
      "file:///etc/passwd",
      ".",
      "//",
      "*",
    ],
    ...[
      "'",
      '"',
      "`",
      "\\",
      "%",
      "_",
      "%%%",
      "\\%",
      "'; drop table offchain.registration; --",
      "' or 1=1 --",
    ],
    ...["$1", "$$", "{{7*7}}", "<script>alert(1)</script>", "%s%s%n", "\0", "a\0b", "\r\nSet-Cookie: a=b"],
    ...[
      "\ud800",
      "\udc00a",
      "\ufffd",
      "\u202e",
      "\u0001a",
      "\u0002",
      "İ",
      "ß",
      "小狗",
      "🦦".repeat(50),
      "👩‍👩‍👧‍👦",
    ],
    ...["0x", `0x${"0".repeat(39)}`, `0x${"0".repeat(41)}`, `0x${"g".repeat(40)}`, `0X${"0".repeat(40)}`],
    ...["a".repeat(201), "a".repeat(5_000), "newest", "all", "56", "97", "1", ",", ",,,,", "0x,0x"],
  ),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.integer().map(String),
  fc.double().map(String),
);

/** Part of a raw URL: encoded well, badly or not at all. ASCII without spaces and controls. */
export const nastyEncoded: fc.Arbitrary<string> = fc.oneof(
  nastyText.map((text) => encodeURIComponent(text.toWellFormed())),
  nastyText.map((text) => encodeURIComponent(encodeURIComponent(text.toWellFormed()))),
  fc.constantFrom(
    ...["%", "%%", "%0", "%00", "%zz", "%c0%af", "%ed%a0%80", "%ff", "%e4%b8", "%u0041", "+", "&", "=", "#"],
    ...[
      "..",
      "%2e%2e",
      "%2e%2e%2f%2e%2e%2f",
      "..%5c..%5c",
      "....//",
      "%252e%252e",
      ";",
      ";a=b",
      "?",
      "//",
      "@",
      ":",
    ],
  ),
  fc.string({
    unit: fc.constantFrom(..."%0aF/.?&=[]{}|^~;:@!$'()*+,-_\\\"<>`"),
    maxLength: 12,
  }),
);

/** JSON text of every kind: deeply nested, with odd keys and numbers, cut off, or no JSON at all. */
export const nastyJson: fc.Arbitrary<string> = fc.oneof(
  fc.json(),
  fc.json({ maxDepth: 4 }).chain((text) => fc.nat(text.length).map((length) => text.slice(0, length))),
  fc.nat(20_000).map((depth) => "[".repeat(depth)),
  fc.nat(20_000).map((depth) => `${'{"a":'.repeat(depth % 9_000)}1${"}".repeat(depth % 9_000)}`),
  fc.constantFrom(
    ...["", "{", "}", "null", "[]", "{}", "1e999", "-0", '"\\ud800"', '{"a":1,"a":2}', "\ufeff{}", "NaN"],
    ...[
      '{"__proto__":{"admin":true}}',
      '{"constructor":{"prototype":{}}}',
      '{"":1}',
      "[1,2",
      "{'a':1}",
      "\0",
    ],
  ),
  fc.string({ unit: anyCharacter, maxLength: 200 }),
);
