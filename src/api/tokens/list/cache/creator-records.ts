import type { CreatorRow } from "./changed-creators.query.ts";

/** The most creators to remember. A forgotten one counts as changed once more. */
const maxRecords = 100_000;

/** Remembers the records of creators that were read, to find those that have changed. */
export class CreatorRecords {
  readonly #records = new Map<string, string>();
  #volatile: CreatorRow[] = [];

  /** The records that a reorg may still change. */
  get volatile(): readonly CreatorRow[] {
    return this.#volatile;
  }

  /** Records what a sync found, and returns the hashes of the creators whose record has changed. */
  update(found: CreatorRow[]): Set<number> {
    if (this.#records.size > maxRecords) this.#records.clear();
    const changed = new Set<number>();
    for (const { chain_id, creator, hash, record } of found) {
      const key = `${chain_id} ${creator}`;
      if (this.#records.get(key) !== record) changed.add(hash);
      this.#records.set(key, record);
    }
    this.#volatile = found.filter((row) => row.is_volatile);
    return changed;
  }
}
