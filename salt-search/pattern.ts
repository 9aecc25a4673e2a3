/** How an address has to begin and end: hexadecimal digits in lower case, without 0x. Either may be empty. */
export type Pattern = { prefix: string; suffix: string };

/** Says what is wrong with a pattern. */
export class PatternError extends Error {
  override name = "PatternError";
}

const addressDigits = 40;

/**
 * Checks a pattern. Upper and lower case mean the same, since an address's case is a checksum and no part of it. A prefix
 * may start with 0x. Throws {@link PatternError}.
 */
export function parsePattern({ prefix = "", suffix = "" }: Partial<Pattern>): Pattern {
  const pattern = {
    prefix: digits("prefix", prefix.replace(/^0x/i, "")),
    suffix: digits("suffix", suffix),
  };
  const length = pattern.prefix.length + pattern.suffix.length;
  if (length === 0)
    throw new PatternError("A prefix or a suffix is needed, of at least one hexadecimal digit");
  if (length > addressDigits) {
    throw new PatternError(
      `An address has ${addressDigits} digits: prefix and suffix have ${length} together`,
    );
  }
  return pattern;
}

function digits(name: string, text: string): string {
  if (/^[0-9a-f]*$/i.test(text)) return text.toLowerCase();
  throw new PatternError(`The ${name} must be hexadecimal digits (0-9, a-f): ${JSON.stringify(text)}`);
}

/** @param address In lower case, with 0x. */
export function matchesPattern(address: string, { prefix, suffix }: Pattern): boolean {
  return address.startsWith(prefix, 2) && address.endsWith(suffix);
}

/** How many addresses have to be tried on average. */
export function expectedAttempts({ prefix, suffix }: Pattern): number {
  return 16 ** (prefix.length + suffix.length);
}

/** The part of a pattern that a kernel tests: 16 bits of the digest, of which `mask` chooses. */
export type Filter = { search: "searchPrefix" | "searchSuffix"; mask: bigint; target: bigint };

/** The longer of prefix and suffix, or four digits of it. */
export function filterOf({ prefix, suffix }: Pattern): Filter {
  return suffix.length >= Math.min(4, prefix.length)
    ? { search: "searchSuffix", ...bitsOf(suffix.slice(-4).padStart(4, "."), 48n) }
    : { search: "searchPrefix", ...bitsOf(prefix.slice(0, 4).padEnd(4, "."), 32n) };
}

/** @param text Two bytes as four digits, any of which may be a dot for any digit. */
function bitsOf(text: string, shift: bigint): { mask: bigint; target: bigint } {
  const place = (replace: (digit: string) => string) => {
    const [first, second] = [text.slice(0, 2), text.slice(2)].map((byte) =>
      Number.parseInt([...byte].map(replace).join(""), 16),
    ) as [number, number];
    // Lanes are little-endian, and WebAssembly's 64-bit integers signed.
    return BigInt.asIntN(64, BigInt(first | (second << 8)) << shift);
  };
  return {
    mask: place((digit) => (digit === "." ? "0" : "f")),
    target: place((digit) => (digit === "." ? "0" : digit)),
  };
}
