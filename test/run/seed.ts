/**
 * Where everything random in the tests begins: the same in every run, so that a failure comes again. `TEST_SEED=random` draws
 * another, and any whole number is taken as it is.
 */
export const seed = readSeed(process.env.TEST_SEED);

function readSeed(given: string | undefined): number {
  if (given === undefined || given === "") return 1;
  // Below 2³¹, as fast-check wants it.
  const number = given === "random" ? Date.now() % 2 ** 31 : Number(given);
  if (!Number.isInteger(number) || number < 0 || number >= 2 ** 31) {
    throw new Error(`TEST_SEED is wrong: it must be a whole number from 0 to ${2 ** 31 - 1}, or "random"`);
  }
  // The workers inherit it.
  process.env.TEST_SEED = String(number);
  return number;
}
