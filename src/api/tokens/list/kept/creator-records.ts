import type { CreatorRow } from "./changed-creators.query.ts";

/** Creators to remember. One that was forgotten counts as changed once more. */
const mostRecords = 100_000;

/** Knows the records of creators that were looked at, to tell which have changed. */
export class CreatorRecords {
  readonly #records = new Map<string, string>();
  #volatile: CreatorRow[] = [];

  /** Those that a reorg may still change. */
  get volatile(): readonly CreatorRow[] {
    return this.#volatile;
  }

  /** Takes in what a look found, and returns the hashes of those whose record is another one. */
  changed(found: CreatorRow[]): Set<number> {
    if (this.#records.size > mostRecords) this.#records.clear();
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
