type Line<Item> = { items: Item[]; weight: number };

/**
 * A queue in which clients take turns: a client with one item waits no longer than one with a hundred. Each client's items keep
 * their order.
 */
export class FairQueue<Item> {
  readonly #weigh: (item: Item) => number;
  /** Each client's line, in the order of the next turns. None is empty. */
  readonly #lines = new Map<string, Line<Item>>();
  #weight = 0;

  /** @param weigh returns how much room an item takes, always the same for an item. Default: 1. */
  constructor(weigh: (item: Item) => number = () => 1) {
    this.#weigh = weigh;
  }

  /** The total weight of all items. */
  get weight(): number {
    return this.#weight;
  }

  push(client: string, item: Item): void {
    const line = this.#lines.get(client) ?? { items: [], weight: 0 };
    this.#lines.set(client, line);
    line.items.push(item);
    this.#count(line, this.#weigh(item));
  }

  /**
   * Removes and returns the next item among the clients that the filter accepts.
   *
   * @param rank returns a number for the first item of a client, at this time: the least goes first. Default: clients take turns
   */
  shift(
    isAllowed: (client: string) => boolean = () => true,
    rank?: (item: Item, now: number) => number,
  ): Item | undefined {
    const now = performance.now();
    let next: { client: string; line: Line<Item>; rank: number } | undefined;
    for (const [client, line] of this.#lines) {
      if (!isAllowed(client)) continue;
      const rankOfFirst = rank?.(line.items[0] as Item, now) ?? 0;
      if (next === undefined || rankOfFirst < next.rank) next = { client, line, rank: rankOfFirst };
      if (rank === undefined) break;
    }
    if (next === undefined) return undefined;
    const { client, line } = next;
    const item = line.items[0] as Item;
    this.remove(client, item);
    // Moves the client behind the others if it has more.
    if (this.#lines.delete(client)) this.#lines.set(client, line);
    return item;
  }

  remove(client: string, item: Item): boolean {
    const line = this.#lines.get(client);
    const place = line?.items.indexOf(item) ?? -1;
    if (line === undefined || place === -1) return false;
    line.items.splice(place, 1);
    this.#count(line, -this.#weigh(item));
    if (line.items.length === 0) this.#lines.delete(client);
    return true;
  }

  /**
   * Makes room for another item of a client: removes and returns the last item of the client with the most, unless `client` would
   * then have at least as much.
   *
   * @param weight the weight of the other item
   */
  evictFor(client: string, weight = 1): Item | undefined {
    const [first, ...others] = this.#lines;
    if (first === undefined) return undefined;
    const [owner, line] = others.reduce(
      (most, other) => (other[1].weight > most[1].weight ? other : most),
      first,
    );
    if (line.weight <= (this.#lines.get(client)?.weight ?? 0) + weight) return undefined;
    const item = line.items.at(-1) as Item;
    this.remove(owner, item);
    return item;
  }

  #count(line: Line<Item>, weight: number): void {
    line.weight += weight;
    this.#weight += weight;
  }
}
