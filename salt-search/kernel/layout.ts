/** `simd` tests three candidates at a time; `scalar`, for machines without 128-bit SIMD, tests one. */
export type KernelKind = "simd" | "scalar";

export const candidatesPerPass: Record<KernelKind, number> = { simd: 3, scalar: 1 };

/** Offsets in the kernel's memory, in bytes. Lanes are little-endian, as in Keccak. */

/** 24 lanes: iota's constants. */
export const constantsAt = 0;
/** 25 lanes: the padded message that `digest` and `expand` read. */
export const messageAt = 256;
/** 25 lanes: their result. A digest is its first 32 bytes. */
export const resultAt = 512;

/** From here on, each search has its own area. */
export const areasAt = 8_192;
export const areaSize = 8_192;
export const areaCount = 63;
export const memoryPages = (areasAt + areaSize * areaCount) / 65_536;

/** 25 lanes in 8 bytes each. */
export const stateSize = 200;

/**
 * Offsets within an area: the expanded messages of the step's candidates, lane by lane, with `baseStride` bytes per lane for the
 * candidates side by side; then the changes that each entry makes to them; then those that each bit of the step makes.
 */
export const baseAt = 0;
export const baseStride = 32;
export const entriesAt = 832;
export const stepBitsAt = 4_032;

/** The salt's bytes 19 to 26 are lane 5 of the message. */
export const counterLane = 5;

/**
 * The bits of the counter lane that the search counts in; not its first 8, which may be given (the end of the creator's address).
 * The first round's chi multiplies no two of them with each other, so the change that several bits make to an expanded message is
 * the sum (xor) of the changes that each makes alone. The differences between candidates can therefore be tabulated, and round 1
 * and the linear half of round 2 are done once for millions of them. (Such sets are called linear structures: Guo, Liu and Song,
 * "Linear Structures: Applications to Cryptanalysis of Round-Reduced Keccak", 2016.) A random search found these, and none of
 * more than 24.
 */
export const stepBits: readonly number[] = [10, 11, 13, 14, 16, 20, 26, 27, 29, 31, 32, 38, 41, 43, 44, 45];
export const entryBits: readonly number[] = [47, 50, 56, 59];
/** The bits that distinguish the candidates of one pass: the second has the first of these bits, the third the second. */
export const candidateBits: readonly number[] = [60, 61];

export const entryCount = 2 ** entryBits.length;
export const stepCount = 2 ** stepBits.length;
