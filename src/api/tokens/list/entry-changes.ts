import { copyInto } from "./order/sort-by-keys.ts";

/** Data that the entries of all tokens of a chain share. */
export type ChainFacts = {
  /** Changes with each write to the chain's rows. */
  written: string;
  /** The time of the last indexed block, in seconds. */
  timestamp: number;
  /** USD for one BNB with 8 decimals, or null if unknown. */
  rate: string | null;
};

type FoundChanges = {
  /** Registrations that may have changed in any way. */
  ids: number[];
  /** Hashes of creators whose records may have changed, as given to {@link EntryChanges.setCreator}. */
  creators: Iterable<number>;
  chains: ReadonlyMap<number, ChainFacts>;
};

/** The most creators to remember. With more, all entries count as changed. */
const maxCreators = 100_000;

/**
 * Remembers which sync with the database last found a token's entry, or its creator's record, changed. Keyed by registration id.
 * Takes eight bytes per token.
 */
export class EntryChanges {
  #syncCount = 1;
  #chains: ReadonlyMap<number, ChainFacts> = new Map();
  #changed = new Uint32Array(0);
  #creator = new Int32Array(0);
  readonly #creators = new Map<number, number>();
  /** Nothing is remembered about syncs up to this one. */
  #forgotten = 0;

  /** The number of the last sync. */
  get syncCount(): number {
    return this.#syncCount;
  }

  /** As of the last sync. */
  get chains(): ReadonlyMap<number, ChainFacts> {
    return this.#chains;
  }

  /** @param creator a hash of the address: creators with the same hash count as changed together */
  setCreator(id: number, creator: number): void {
    this.#ensureRoom(id);
    this.#creator[id] = creator;
  }

  record({ ids, creators, chains }: FoundChanges): void {
    this.#syncCount++;
    this.#chains = chains;
    for (const id of ids) {
      this.#ensureRoom(id);
      this.#changed[id] = this.#syncCount;
    }
    for (const creator of creators) this.#creators.set(creator, this.#syncCount);
    if (this.#creators.size > maxCreators) {
      this.#creators.clear();
      this.#forgotten = this.#syncCount;
    }
  }

  /** Whether a sync after this one found a change. */
  hasChanged(id: number, since: number): boolean {
    const [changed, creator] = [this.#changed[id], this.#creator[id]];
    if (since < this.#forgotten || changed === undefined || creator === undefined) return true;
    return changed > since || (this.#creators.get(creator) ?? 0) > since;
  }

  #ensureRoom(id: number): void {
    if (id < this.#changed.length) return;
    const size = Math.max(1_024, Math.ceil(1.25 * id));
    this.#changed = copyInto(new Uint32Array(size), this.#changed);
    this.#creator = copyInto(new Int32Array(size), this.#creator);
  }
}
