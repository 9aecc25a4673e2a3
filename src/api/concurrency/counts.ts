/** Counts things by whose they are. Nothing is kept of those who have none. */
export class Counts {
  readonly #counts = new Map<string, number>();

  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  add(owner: string, change: 1 | -1): void {
    const count = this.of(owner) + change;
    if (count === 0) this.#counts.delete(owner);
    else this.#counts.set(owner, count);
  }
}
