import { createHash } from "node:crypto";
import { confusables } from "./confusables.ts";

/*
 * Which names look alike. Accents, punctuation, blanks, invisible characters and skin tones don't count, and letters count as what
 * they look like. Two names look alike if they are equal then, either ignoring case or with the letters of one case that resemble
 * others: "WIF" and "WlF", but not "AI" and "AL".
 */

/** Longer names are compared by their beginning: the index takes names of any length. */
const maxLength = 1_000;

/** U+2800 is a blank that Unicode calls a symbol. Of the marks that go with any letter, kana's make other letters. */
const ignored =
  /(?![\u3099\u309a])[\p{P}\p{Z}\p{C}\p{Me}\p{Script=Inherited}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u2800]/gu;

/** Marks of any script on letters that have none but accents. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}])\p{M}+/gu;

/** Letters in a filled circle or square, which have no compatibility form. */
const filledLetters = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu;
const toPlainLetter = (letter: string) =>
  String.fromCharCode(0x41 + (((letter.codePointAt(0) as number) - 0x1f150) % 0x20));

/** Small capitals, which Unicode's list of confusables lacks. There is none of X. */
const smallCapitals = new Map(
  [..."ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ"].map((capital, index) => [capital, String.fromCharCode(0x61 + index)]),
);

/** Returns the letters of a name as what they look like, in their case. Empty if it has none. */
function letters(name: string): string {
  const plain = name
    .slice(0, maxLength)
    .replaceAll(/[™®©℠]/gu, "")
    .normalize("NFKD")
    .replaceAll(ignored, "")
    .replaceAll(accents, "")
    .replaceAll(filledLetters, toPlainLetter)
    .replace(/^\$+/, "");
  const looks = [...plain].map((letter) => {
    const lower = letter.toLowerCase();
    const look = confusables.get(letter) ?? confusables.get(lower) ?? smallCapitals.get(lower) ?? lower;
    return lower === letter ? look : look.toUpperCase();
  });
  return looks.join("");
}

/** Replaces what looks alike in one case only. */
const resembling = (text: string) => text.replaceAll(/[I1]/g, "l").replaceAll("m", "rn");

/** Returns what a name looks like: ignoring case, and with what resembles other letters. Both are empty if it has no letters. */
export function looksOf(name: string): [ignoringCase: string, resembling: string] {
  const look = letters(name);
  return [look.toLowerCase(), resembling(look)];
}

/** Whether two names look alike. */
export function looksLike(left: string, right: string): boolean {
  const [a, b] = [looksOf(left), looksOf(right)];
  if (a[0] === "" || b[0] === "") return false;
  return a[0] === b[0] || a[1] === b[1];
}

/**
 * Returns a hash that all names have which {@link looksLike} one another, as 0x and 64 hex digits, and few others. Null if the name
 * has no letters.
 */
export function lookHash(name: string): `0x${string}` | null {
  const look = resembling(letters(name).toLowerCase()).replaceAll("i", "l");
  return look === "" ? null : `0x${createHash("sha256").update(look).digest("hex")}`;
}
