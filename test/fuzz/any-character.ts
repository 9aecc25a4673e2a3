import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };

/** Any Unicode character, as a string's unit. fast-check's own "binary" spends half a second on a table of all of them. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count));
