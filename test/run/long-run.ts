/** Whether this is `npm run test:long`. */
export const isLong = process.env.TEST_LONG === "on";

/** Chooses a size: `long` in `npm run test:long`, `usual` in `npm test`. */
export function sized<Size>({ usual, long }: { usual: Size; long: Size }): Size {
  return isLong ? long : usual;
}

/** Declares tests that run in `npm run test:long` alone. In `npm test` they don't exist, so none is reported as skipped. */
export function onlyInLongRun(declare: () => void): void {
  if (isLong) declare();
}
