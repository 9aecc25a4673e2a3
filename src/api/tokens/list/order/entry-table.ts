import { type Activity, ActivityTable } from "./activity-table.ts";
import type { Aspect, ConditionValues } from "./conditions.ts";
import type { Compare, CompareWithPosition } from "./id-lists.ts";
import { compareBy, copyInto, type Keys } from "./sort-by-keys.ts";
import { isByActivity, type ListPosition, type MoverOrder, type Order } from "./sorts.ts";

/** What orders and conditions compare of a listed token. `listedNumbers` in listed-tokens.query.ts has the SQL of each. */
export type ListedNumbers = {
  /** Percent, with 4 decimals. */
  progress: number;
  /**
   * Price with 36 decimals times supply in base units. The product can need 512 bits, of which a number keeps 53, so market caps
   * that agree in 15 significant digits may count as equal.
   */
  marketCap: number;
  /** Percent of the circulating supply that the creator holds; 0 if nobody holds any. */
  creatorPercent: number;
  /** Percent of the circulating supply that insiders, snipers and bundlers hold. */
  insiderPercent: number;
  sniperPercent: number;
  bundlerPercent: number;
  /** Percent of the BNB that buys have paid that the creator paid, with 4 decimals; 0 before the first buy. */
  creatorBuysPercent: number;
  /** The same for buys in the block in which the curve opened. */
  openingBuysPercent: number;
  /** Wei traded so far without back and forth, to the precision of a number. */
  netVolume: number;
};

/** The properties of a listed token that determine its place in the list. */
export type ListedToken = ListedNumbers & {
  chainId: number;
  board: number;
  /** Percent. */
  burnPercent: number;
  createdBlock: number;
  createdLogIndex: number;
  /** Seconds since 1970; 0 before graduation. */
  graduatedAt: number;
  holders: number;
  /** Whether the creator signed the registration. */
  verified: boolean;
  /** Whether the creator made the buy that graduated it. */
  selfGraduated: boolean;
};

/** A property as it is kept, in an array by registration id. A change of an `aspect` moves the token in orders or conditions. */
type Column = {
  type: new (size: number) => Keys;
  read: (token: ListedToken) => number;
  aspect?: Aspect;
};

const columns = {
  chainId: { type: Uint32Array, read: ({ chainId }) => chainId },
  board: { type: Uint8Array, read: ({ board }) => board },
  burnPercent: { type: Uint8Array, read: ({ burnPercent }) => burnPercent },
  creation: { type: Float64Array, read: creationKey },
  progress: { type: Uint32Array, read: (token) => tenThousandths(token.progress), aspect: "progress" },
  graduatedAt: { type: Uint32Array, read: ({ graduatedAt }) => graduatedAt, aspect: "graduated" },
  holders: { type: Uint32Array, read: ({ holders }) => holders, aspect: "holders" },
  marketCap: { type: Float64Array, read: ({ marketCap }) => marketCap, aspect: "marketcap" },
  creatorPercent: { type: Float64Array, read: (token) => token.creatorPercent, aspect: "creator" },
  insiderPercent: { type: Float64Array, read: (token) => token.insiderPercent, aspect: "insiders" },
  sniperPercent: { type: Float64Array, read: (token) => token.sniperPercent, aspect: "snipers" },
  bundlerPercent: { type: Float64Array, read: (token) => token.bundlerPercent, aspect: "bundlers" },
  creatorBuys: {
    type: Uint32Array,
    read: (token) => tenThousandths(token.creatorBuysPercent),
    aspect: "buys",
  },
  openingBuys: {
    type: Uint32Array,
    read: (token) => tenThousandths(token.openingBuysPercent),
    aspect: "buys",
  },
  netVolume: { type: Float64Array, read: ({ netVolume }) => netVolume, aspect: "buys" },
  verified: { type: Uint8Array, read: ({ verified }) => Number(verified) },
  selfGraduated: { type: Uint8Array, read: ({ selfGraduated }) => Number(selfGraduated) },
} satisfies Record<string, Column>;

type ColumnName = keyof typeof columns;
const allColumns: readonly [ColumnName, Column][] = Object.entries(columns) as [ColumnName, Column][];

export const bytesPerToken = allColumns.reduce((sum, [, { type }]) => sum + new type(1).byteLength, 0);

/** The columns that decide a token's place in the standing orders. */
const placeColumns = ["chainId", "board", "selfGraduated", "burnPercent", "creation"] as const;

/** No block of any chain has this many logs. */
const logsPerBlock = 2 ** 21;

/**
 * The properties by which the list is ordered and filtered, by registration id. A token that is not listed has the chain id 0.
 */
export class EntryTable {
  readonly #values: Record<ColumnName, Keys> = createValues(0);
  readonly #activity = new ActivityTable();

  /** The number of ids that fit without growing. */
  get size(): number {
    return this.#values.chainId.length;
  }

  /** The sort key of {@link byCreation}. Use it at once: it is replaced when the table grows. */
  get creation(): Keys {
    return this.#values.creation;
  }

  chainId(id: number): number {
    return this.#values.chainId[id] ?? 0;
  }

  board(id: number): number {
    return this.#values.board[id] ?? 0;
  }

  set(id: number, token: ListedToken | undefined): void {
    this.makeRoom(id);
    if (token === undefined) this.#values.chainId[id] = 0;
    else for (const [name, { read }] of allColumns) this.#values[name][id] = read(token);
  }

  setActivity(id: number, activity: Activity): void {
    this.#activity.set(id, activity);
  }

  activity(id: number): Activity {
    return this.#activity.get(id);
  }

  hasTrades(id: number, mover: MoverOrder): boolean {
    return this.#activity.hasTrades(id, mover);
  }

  /** The properties that the conditions of a view compare. */
  conditionValues(id: number): ConditionValues {
    return {
      volume: this.#activity.volume(id),
      traders: this.#activity.traders(id),
      holders: this.#values.holders[id] ?? 0,
      creatorPercent: this.#values.creatorPercent[id] ?? 0,
      insiderPercent: this.#values.insiderPercent[id] ?? 0,
      sniperPercent: this.#values.sniperPercent[id] ?? 0,
      bundlerPercent: this.#values.bundlerPercent[id] ?? 0,
      creatorBuysPercent: (this.#values.creatorBuys[id] ?? 0) / 10_000,
      openingBuysPercent: (this.#values.openingBuys[id] ?? 0) / 10_000,
      netVolume: this.#values.netVolume[id] ?? 0,
      verified: this.#values.verified[id] === 1,
      selfGraduated: this.#values.selfGraduated[id] === 1,
    };
  }

  /** Whether the entry already has the token's chain, board, way to graduation, creation and burned share: its place in the standing orders. */
  isAt(id: number, token: ListedToken | undefined): boolean {
    if (token === undefined) return this.chainId(id) === 0;
    return placeColumns.every((name) => this.#values[name][id] === columns[name].read(token));
  }

  /** Returns which other aspects of the listed token differ from the entry. */
  differences(id: number, token: ListedToken): Aspect[] {
    const changed = allColumns.flatMap(([name, { read, aspect }]) =>
      aspect === undefined || this.#values[name][id] === read(token) ? [] : [aspect],
    );
    return [...new Set(changed)];
  }

  /**
   * Newest last. After a reorg, a token may have the same block and log index as a removed one. Until that one is taken out as
   * well, the ids tell them apart.
   */
  byCreation: Compare = (left, right) =>
    (this.#values.creation[left] ?? 0) - (this.#values.creation[right] ?? 0) || left - right;

  /** Highest burned share last, the newest last among equals. */
  byBurnPercent: Compare = (left, right) =>
    (this.#values.burnPercent[left] ?? 0) - (this.#values.burnPercent[right] ?? 0) ||
    this.byCreation(left, right);

  /** The sort keys of an order that come before creation, the most significant first. Use them at once, like {@link creation}. */
  keys(order: Order): Keys[] {
    if (isByActivity(order)) {
      this.#activity.makeRoom(this.size);
      return this.#activity.keys(order);
    }
    const keys: Record<typeof order, Keys[]> = {
      newest: [],
      burn: [this.#values.burnPercent],
      progress: [this.#values.progress],
      graduated: [this.#values.graduatedAt],
      holders: [this.#values.holders],
      marketcap: [this.#values.marketCap],
    };
    return keys[order];
  }

  /** Compares ids in an order, the first of the list last. Use it at once, like {@link keys}. */
  compare(order: Order): Compare {
    const byKeys = compareBy(this.keys(order));
    return (left, right) => byKeys(left, right) || this.byCreation(left, right);
  }

  position(order: Order, id: number): ListPosition {
    const [first, second] = this.keys(order);
    return [first?.[id] ?? 0, second?.[id] ?? 0, this.#values.creation[id] ?? 0, id];
  }

  /** Compares ids with a position in an order, as {@link compare} does with each other. Use it at once, like {@link keys}. */
  compareWith(order: Order, [firstKey, secondKey, creation, tieBreaker]: ListPosition): CompareWithPosition {
    const [first, second] = this.keys(order);
    return (id) =>
      (first?.[id] ?? 0) - firstKey ||
      (second?.[id] ?? 0) - secondKey ||
      (this.#values.creation[id] ?? 0) - creation ||
      id - tieBreaker;
  }

  /** Returns the listed ids of every chain in ascending order, with an entry for each of these chains even if it has none. */
  idsByChain(chains: Iterable<number>): Map<number, number[]> {
    const byChain = new Map([...chains].map((chainId): [number, number[]] => [chainId, []]));
    for (let id = 0; id < this.size; id++) {
      const chainId = this.chainId(id);
      if (chainId === 0) continue;
      const ids = byChain.get(chainId);
      if (ids === undefined) byChain.set(chainId, [id]);
      else ids.push(id);
    }
    return byChain;
  }

  /** Grows the table, if needed, to hold this id and some more. */
  makeRoom(id: number): void {
    if (id < this.size) return;
    const larger = createValues(Math.max(1_024, Math.ceil(1.25 * id)));
    for (const [name] of allColumns) this.#values[name] = copyInto(larger[name], this.#values[name]);
  }
}

function createValues(size: number): Record<ColumnName, Keys> {
  const values: Record<string, Keys> = {};
  for (const [name, { type }] of allColumns) values[name] = new type(size);
  return values as Record<ColumnName, Keys>;
}

function creationKey({ createdBlock, createdLogIndex }: ListedToken): number {
  return createdBlock * logsPerBlock + createdLogIndex;
}

/** Converts a percentage with 4 decimals to an integer. Rounds, because the product may be off by a floating-point error. */
function tenThousandths(percent: number): number {
  return Math.round(percent * 10_000);
}
