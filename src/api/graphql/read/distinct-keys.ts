/** Each different key once, and where each of the given ones is among them. */
export function distinctKeys(keys: unknown[][]): { keys: unknown[][]; places: number[] } {
  const known = new Map<string, number>();
  const distinct: unknown[][] = [];
  const places = keys.map((key) => {
    const name = JSON.stringify(key.map(String));
    let place = known.get(name);
    if (place === undefined) {
      place = distinct.push(key) - 1;
      known.set(name, place);
    }
    return place;
  });
  return { keys: distinct, places };
}
