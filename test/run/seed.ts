/**
 * The seed of everything random in the tests. It is the same in every run, so that failures can be reproduced. `TEST_SEED=random`
 * draws another one, and `TEST_SEED` can be any integer.
 */
export const seed = readSeed(process.env.TEST_SEED);

function readSeed(given: string | undefined): number {
  if (given === undefined || given === "") return 1;
  // Below 2³¹, as fast-check requires.
  const number = given === "random" ? Date.now() % 2 ** 31 : Number(given);
  if (!Number.isInteger(number) || number < 0 || number >= 2 ** 31) {
    throw new Error(`TEST_SEED is wrong: it must be a whole number from 0 to ${2 ** 31 - 1}, or "random"`);
  }
  // The workers inherit it.
  process.env.TEST_SEED = String(number);
  return number;
}
