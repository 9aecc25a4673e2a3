/** Chooses a size: `long` in `npm run test:long`, `usual` in `npm test`. */
export function sized<Size>({ usual, long }: { usual: Size; long: Size }): Size {
  return process.env.TEST_LONG === "on" ? long : usual;
}
