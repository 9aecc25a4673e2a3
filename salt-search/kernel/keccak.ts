/**
 * Keccak-f[1600] as FIPS 202 (section 3) defines it: 25 lanes of 64 bits, lane (x, y) at index x + 5y, 24 rounds of
 * theta, rho, pi, chi and iota.
 */

export const roundCount = 24;

/** How far rho rotates each lane to the left: triangular numbers along the path that pi takes. */
export const rotations: readonly number[] = rhoOffsets();

/** What iota adds to lane 0 in each round. */
export const roundConstants: readonly bigint[] = Array.from({ length: roundCount }, (_, round) =>
  iotaConstant(round),
);

export function laneIndex(x: number, y: number): number {
  return (((x % 5) + 5) % 5) + 5 * (((y % 5) + 5) % 5);
}

/** The lane that pi moves to (x, y). */
export function beforePi(x: number, y: number): number {
  return laneIndex(x + 3 * y, x);
}

function rhoOffsets(): number[] {
  const offsets = new Array<number>(25).fill(0);
  let [x, y] = [1, 0];
  for (let step = 0; step < 24; step++) {
    offsets[laneIndex(x, y)] = (((step + 1) * (step + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return offsets;
}

/** Bits 2^j - 1 of a round's constant come from a linear feedback shift register, x^8 + x^6 + x^5 + x^4 + 1. */
function iotaConstant(round: number): bigint {
  let constant = 0n;
  for (let j = 0; j <= 6; j++) {
    if (registerBit(j + 7 * round)) constant |= 1n << BigInt(2 ** j - 1);
  }
  return constant;
}

function registerBit(steps: number): boolean {
  let register = 1;
  for (let step = 0; step < steps % 255; step++) {
    register <<= 1;
    if (register & 0x100) register ^= 0x171;
  }
  return (register & 1) === 1;
}
