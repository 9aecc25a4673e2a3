export type Group<Item> = [Item, ...Item[]];

/** Groups items by key. Items keep their order, and groups are in the order of their first items. */
export function groupBy<Item>(items: Item[], keyOf: (item: Item) => string): Group<Item>[] {
  const groups = new Map<string, Group<Item>>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

export function sum(values: bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

export function maximum(values: bigint[]): bigint | undefined {
  return ascending(values).at(-1);
}

export function minimum(values: bigint[]): bigint | undefined {
  return ascending(values)[0];
}

function ascending(values: bigint[]): bigint[] {
  return values.toSorted((left, right) => (left < right ? -1 : 1));
}
