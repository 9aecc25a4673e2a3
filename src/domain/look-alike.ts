import { createHash } from "node:crypto";
import { confusables } from "./confusables.ts";

/*
 * Which names look alike. Accents, punctuation, blanks, invisible characters and skin tones don't count, and letters count as what
 * they look like. Two names look alike if they are equal then, either ignoring case or with the letters of one case that resemble
 * others: "WIF" and "WlF", but not "AI" and "AL".
 */

/** Longer names are compared by their beginning: the index takes names of any length. */
const maxLength = 1_000;

const ignored = /[\u0300-\u036f\p{P}\p{Z}\p{C}\p{Me}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]/gu;

/** Returns the letters of a name as what they look like, in their case. Empty if it has none. */
function letters(name: string): string {
  const plain = name
    .slice(0, maxLength)
    .replaceAll(/[™®©℠]/gu, "")
    .normalize("NFKD")
    .replaceAll(ignored, "")
    .replace(/^\$+/, "");
  const looks = [...plain].map((letter) => {
    const lower = letter.toLowerCase();
    const look = confusables.get(letter) ?? confusables.get(lower) ?? lower;
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
