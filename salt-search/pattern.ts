/** How an address must begin and end: hexadecimal digits in lower case, without 0x. Either may be empty. */
export type Pattern = { prefix: string; suffix: string };

/** An invalid pattern. The message says what is wrong with it. */
export class PatternError extends Error {
  override name = "PatternError";
}

const addressDigits = 40;

/**
 * Parses a pattern. Upper and lower case mean the same, because the case of an address is only a checksum. A prefix may start
 * with 0x. Throws {@link PatternError}.
 */
export function parsePattern({ prefix = "", suffix = "" }: Partial<Pattern>): Pattern {
  const pattern = {
    prefix: parseDigits("prefix", prefix.replace(/^0x/i, "")),
    suffix: parseDigits("suffix", suffix),
  };
  const length = pattern.prefix.length + pattern.suffix.length;
  if (length === 0)
    throw new PatternError("A prefix or a suffix of at least one hexadecimal digit is required");
  if (length > addressDigits) {
    throw new PatternError(
      `An address has ${addressDigits} digits: prefix and suffix have ${length} together`,
    );
  }
  return pattern;
}

function parseDigits(name: string, text: string): string {
  if (/^[0-9a-f]*$/i.test(text)) return text.toLowerCase();
  throw new PatternError(`The ${name} must be hexadecimal digits (0-9, a-f): ${JSON.stringify(text)}`);
}

/** @param address in lower case, with 0x */
export function matchesPattern(address: string, { prefix, suffix }: Pattern): boolean {
  return address.startsWith(prefix, 2) && address.endsWith(suffix);
}

/** Returns how many addresses have to be tried on average. */
export function expectedAttempts({ prefix, suffix }: Pattern): number {
  return 16 ** (prefix.length + suffix.length);
}

/** The part of a pattern that a kernel tests: 16 bits of the digest, under a mask. */
export type Filter = { search: "searchPrefix" | "searchSuffix"; mask: bigint; target: bigint };

/** Filters by the longer of prefix and suffix, or by four digits of it. */
export function kernelFilter({ prefix, suffix }: Pattern): Filter {
  return suffix.length >= Math.min(4, prefix.length)
    ? { search: "searchSuffix", ...maskAndTarget(suffix.slice(-4).padStart(4, "."), 48n) }
    : { search: "searchPrefix", ...maskAndTarget(prefix.slice(0, 4).padEnd(4, "."), 32n) };
}

/** @param text two bytes as four digits, each of which may be a dot that stands for any digit */
function maskAndTarget(text: string, shift: bigint): { mask: bigint; target: bigint } {
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
