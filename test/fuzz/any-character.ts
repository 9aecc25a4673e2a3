import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };

/** Any character of Unicode, as a string's unit. fast-check's own, "binary", first makes a table of all of them: half a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count));
