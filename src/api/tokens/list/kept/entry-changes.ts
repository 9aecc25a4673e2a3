import { grown } from "../order/grown.ts";

/** What the entries of a chain's tokens have in common. */
export type ChainFacts = {
  /** Differs after each write to the chain's rows. */
  written: string;
  /** The time of the last indexed block, in seconds. */
  timestamp: number;
  /** USD for one BNB with 8 decimals; null where it isn't known. */
  rate: string | null;
};

export type LookForChanges = {
  /** Registrations of which anything may have changed. */
  ids: number[];
  /** Creators whose records may have changed, as {@link EntryChanges.setCreator} has them. */
  creators: Iterable<number>;
  chains: ReadonlyMap<number, ChainFacts>;
};

/** Creators to remember. Beyond, all entries count as changed. */
const mostCreators = 100_000;

/**
 * Knows which look at the database found the entry of a token changed last, or something that it says of the token's creator. Keyed
 * by registration id. Takes eight bytes a token.
 */
export class EntryChanges {
  #look = 1;
  #chains: ReadonlyMap<number, ChainFacts> = new Map();
  #changed = new Uint32Array(0);
  #creator = new Int32Array(0);
  readonly #creators = new Map<number, number>();
  /** Up to this look, nothing is remembered. */
  #forgotten = 0;

  /** Counts the looks. */
  get look(): number {
    return this.#look;
  }

  /** As of the last look. */
  get chains(): ReadonlyMap<number, ChainFacts> {
    return this.#chains;
  }

  /** @param creator a hash of the address: two with the same one change together */
  setCreator(id: number, creator: number): void {
    this.#makeRoom(id);
    this.#creator[id] = creator;
  }

  record({ ids, creators, chains }: LookForChanges): void {
    this.#look++;
    this.#chains = chains;
    for (const id of ids) {
      this.#makeRoom(id);
      this.#changed[id] = this.#look;
    }
    for (const creator of creators) this.#creators.set(creator, this.#look);
    if (this.#creators.size > mostCreators) {
      this.#creators.clear();
      this.#forgotten = this.#look;
    }
  }

  /** Whether a look after this one found a change. */
  hasChanged(id: number, since: number): boolean {
    if (since < this.#forgotten || id >= this.#changed.length) return true;
    if ((this.#changed[id] as number) > since) return true;
    return (this.#creators.get(this.#creator[id] as number) ?? 0) > since;
  }

  #makeRoom(id: number): void {
    if (id < this.#changed.length) return;
    const size = Math.max(1_024, Math.ceil(1.25 * id));
    this.#changed = grown(new Uint32Array(size), this.#changed);
    this.#creator = grown(new Int32Array(size), this.#creator);
  }
}
