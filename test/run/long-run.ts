/** What `npm run test:long` takes for a size, and what `npm test` does. */
export function sized<Size>({ usual, long }: { usual: Size; long: Size }): Size {
  return process.env.TEST_LONG === "on" ? long : usual;
}
