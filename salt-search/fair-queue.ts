/**
 * A queue in which clients take turns: a client with one item is served as soon as one with a hundred. Each client's items keep
 * their order.
 */
export class FairQueue<Item> {
  /** In the order of the clients' next turns. No client's list is empty. */
  readonly #lines = new Map<string, Item[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  lengthOf(client: string): number {
    return this.#lines.get(client)?.length ?? 0;
  }

  push(client: string, item: Item): void {
    const line = this.#lines.get(client);
    if (line === undefined) this.#lines.set(client, [item]);
    else line.push(item);
    this.#length++;
  }

  /** Removes and returns the next item of a client that the filter accepts. */
  shift(isAllowed: (client: string) => boolean = () => true): Item | undefined {
    for (const [client, line] of this.#lines) {
      if (!isAllowed(client)) continue;
      const item = line.shift();
      this.#length--;
      this.#lines.delete(client);
      if (line.length > 0) this.#lines.set(client, line);
      return item;
    }
    return undefined;
  }

  remove(client: string, item: Item): boolean {
    const line = this.#lines.get(client) ?? [];
    const place = line.indexOf(item);
    if (place === -1) return false;
    line.splice(place, 1);
    this.#length--;
    if (line.length === 0) this.#lines.delete(client);
    return true;
  }

  /** Removes the last item of the client with the most, if another client with one more would still have fewer. */
  makeRoomFor(client: string): Item | undefined {
    let longest: [string, Item[]] | undefined;
    for (const entry of this.#lines) {
      if (entry[1].length > (longest?.[1].length ?? 0)) longest = entry;
    }
    if (longest === undefined || longest[1].length <= this.lengthOf(client) + 1) return undefined;
    const item = longest[1].at(-1) as Item;
    this.remove(longest[0], item);
    return item;
  }
}
