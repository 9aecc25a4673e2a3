import { type Activity, ActivityTable } from "./activity-table.ts";
import type { Aspect, ConditionValues } from "./conditions.ts";
import type { Compare, CompareWithPosition } from "./id-lists.ts";
import { compareBy, copyInto, type Keys } from "./sort-by-keys.ts";
import { isByActivity, type ListPosition, type MoverOrder, type Order } from "./sorts.ts";

/** The properties of a listed token that determine its place in the list. */
export type ListedToken = {
  chainId: number;
  board: number;
  /** Percent. */
  burnPercent: number;
  createdBlock: number;
  createdLogIndex: number;
  /** Percent, with 4 decimals. */
  progress: number;
  /** Seconds since 1970; 0 before graduation. */
  graduatedAt: number;
  holders: number;
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
  /** Whether the creator signed the registration. */
  verified: boolean;
  /** Whether the creator made the buy that graduated it. */
  selfGraduated: boolean;
};

/** No block of any chain has this many logs. */
const logsPerBlock = 2 ** 21;

/**
 * The properties by which the list is ordered and filtered, by registration id. Takes 84 bytes per token, so that a million of them
 * need little memory. A token that is not listed has the chain id 0.
 */
export class EntryTable {
  #chainId = new Uint32Array(0);
  #board = new Uint8Array(0);
  #burnPercent = new Uint8Array(0);
  #creation = new Float64Array(0);
  /** In ten thousandths of a percent. */
  #progress = new Uint32Array(0);
  #graduatedAt = new Uint32Array(0);
  #holders = new Uint32Array(0);
  #marketCap = new Float64Array(0);
  #creatorPercent = new Float64Array(0);
  #insiderPercent = new Float64Array(0);
  #sniperPercent = new Float64Array(0);
  #bundlerPercent = new Float64Array(0);
  /** In ten thousandths of a percent, like `#openingBuys`. */
  #creatorBuys = new Uint32Array(0);
  #openingBuys = new Uint32Array(0);
  #netVolume = new Float64Array(0);
  #verified = new Uint8Array(0);
  #selfGraduated = new Uint8Array(0);
  readonly #activity = new ActivityTable();

  /** The number of ids that fit without growing. */
  get size(): number {
    return this.#chainId.length;
  }

  /** The sort key of {@link byCreation}. Use it at once: it is replaced when the table grows. */
  get creation(): Keys {
    return this.#creation;
  }

  chainId(id: number): number {
    return this.#chainId[id] ?? 0;
  }

  board(id: number): number {
    return this.#board[id] ?? 0;
  }

  set(id: number, token: ListedToken | undefined): void {
    this.makeRoom(id);
    this.#chainId[id] = token?.chainId ?? 0;
    if (token === undefined) return;
    this.#board[id] = token.board;
    this.#burnPercent[id] = token.burnPercent;
    this.#creation[id] = creationKey(token);
    this.#progress[id] = tenThousandths(token.progress);
    this.#graduatedAt[id] = token.graduatedAt;
    this.#holders[id] = token.holders;
    this.#marketCap[id] = token.marketCap;
    this.#creatorPercent[id] = token.creatorPercent;
    this.#insiderPercent[id] = token.insiderPercent;
    this.#sniperPercent[id] = token.sniperPercent;
    this.#bundlerPercent[id] = token.bundlerPercent;
    this.#creatorBuys[id] = tenThousandths(token.creatorBuysPercent);
    this.#openingBuys[id] = tenThousandths(token.openingBuysPercent);
    this.#netVolume[id] = token.netVolume;
    this.#verified[id] = Number(token.verified);
    this.#selfGraduated[id] = Number(token.selfGraduated);
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
      holders: this.#holders[id] ?? 0,
      creatorPercent: this.#creatorPercent[id] ?? 0,
      insiderPercent: this.#insiderPercent[id] ?? 0,
      sniperPercent: this.#sniperPercent[id] ?? 0,
      bundlerPercent: this.#bundlerPercent[id] ?? 0,
      creatorBuysPercent: (this.#creatorBuys[id] ?? 0) / 10_000,
      openingBuysPercent: (this.#openingBuys[id] ?? 0) / 10_000,
      netVolume: this.#netVolume[id] ?? 0,
      verified: this.#verified[id] === 1,
      selfGraduated: this.#selfGraduated[id] === 1,
    };
  }

  /** Whether the entry already has the token's chain, board, way to graduation, creation and burned share: its place in the standing orders. */
  isAt(id: number, token: ListedToken | undefined): boolean {
    if (token === undefined) return this.chainId(id) === 0;
    return (
      this.chainId(id) === token.chainId &&
      this.#board[id] === token.board &&
      this.#selfGraduated[id] === Number(token.selfGraduated) &&
      this.#burnPercent[id] === token.burnPercent &&
      this.#creation[id] === creationKey(token)
    );
  }

  /** Returns which other aspects of the listed token differ from the entry. */
  differences(id: number, token: ListedToken): Aspect[] {
    const { progress, holders, marketCap, creatorPercent } = token;
    const changed: Aspect[] = [];
    if (this.#progress[id] !== tenThousandths(progress)) changed.push("progress");
    if (this.#graduatedAt[id] !== token.graduatedAt) changed.push("graduated");
    if (this.#holders[id] !== holders) changed.push("holders");
    if (this.#marketCap[id] !== marketCap) changed.push("marketcap");
    if (this.#creatorPercent[id] !== creatorPercent) changed.push("creator");
    if (this.#insiderPercent[id] !== token.insiderPercent) changed.push("insiders");
    if (this.#sniperPercent[id] !== token.sniperPercent) changed.push("snipers");
    if (this.#bundlerPercent[id] !== token.bundlerPercent) changed.push("bundlers");
    if (
      this.#creatorBuys[id] !== tenThousandths(token.creatorBuysPercent) ||
      this.#openingBuys[id] !== tenThousandths(token.openingBuysPercent) ||
      this.#netVolume[id] !== token.netVolume
    ) {
      changed.push("buys");
    }
    return changed;
  }

  /**
   * Newest last. After a reorg, a token may have the same block and log index as a removed one. Until that one is taken out as
   * well, the ids tell them apart.
   */
  byCreation: Compare = (left, right) =>
    (this.#creation[left] ?? 0) - (this.#creation[right] ?? 0) || left - right;

  /** Highest burned share last, the newest last among equals. */
  byBurnPercent: Compare = (left, right) =>
    (this.#burnPercent[left] ?? 0) - (this.#burnPercent[right] ?? 0) || this.byCreation(left, right);

  /** The sort keys of an order that come before creation, the most significant first. Use them at once, like {@link creation}. */
  keys(order: Order): Keys[] {
    if (isByActivity(order)) {
      this.#activity.makeRoom(this.size);
      return this.#activity.keys(order);
    }
    const keys: Record<typeof order, Keys[]> = {
      newest: [],
      burn: [this.#burnPercent],
      progress: [this.#progress],
      graduated: [this.#graduatedAt],
      holders: [this.#holders],
      marketcap: [this.#marketCap],
    };
    return keys[order];
  }

  /** Compares ids in an order, the first of the list last. Use it at once, like {@link keys}. */
  compare(order: Order): Compare {
    const byKeys = compareBy(this.keys(order));
    return (left, right) => byKeys(left, right) || this.byCreation(left, right);
  }

  /** Returns the position of an id in an order. */
  position(order: Order, id: number): ListPosition {
    const [first, second] = this.keys(order);
    return [first?.[id] ?? 0, second?.[id] ?? 0, this.#creation[id] ?? 0, id];
  }

  /** Compares ids with a position in an order, as {@link compare} does with each other. Use it at once, like {@link keys}. */
  compareWith(order: Order, [firstKey, secondKey, creation, tieBreaker]: ListPosition): CompareWithPosition {
    const [first, second] = this.keys(order);
    return (id) =>
      (first?.[id] ?? 0) - firstKey ||
      (second?.[id] ?? 0) - secondKey ||
      (this.#creation[id] ?? 0) - creation ||
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
    const size = Math.max(1_024, Math.ceil(1.25 * id));
    this.#chainId = copyInto(new Uint32Array(size), this.#chainId);
    this.#board = copyInto(new Uint8Array(size), this.#board);
    this.#burnPercent = copyInto(new Uint8Array(size), this.#burnPercent);
    this.#creation = copyInto(new Float64Array(size), this.#creation);
    this.#progress = copyInto(new Uint32Array(size), this.#progress);
    this.#graduatedAt = copyInto(new Uint32Array(size), this.#graduatedAt);
    this.#holders = copyInto(new Uint32Array(size), this.#holders);
    this.#marketCap = copyInto(new Float64Array(size), this.#marketCap);
    this.#creatorPercent = copyInto(new Float64Array(size), this.#creatorPercent);
    this.#insiderPercent = copyInto(new Float64Array(size), this.#insiderPercent);
    this.#sniperPercent = copyInto(new Float64Array(size), this.#sniperPercent);
    this.#bundlerPercent = copyInto(new Float64Array(size), this.#bundlerPercent);
    this.#creatorBuys = copyInto(new Uint32Array(size), this.#creatorBuys);
    this.#openingBuys = copyInto(new Uint32Array(size), this.#openingBuys);
    this.#netVolume = copyInto(new Float64Array(size), this.#netVolume);
    this.#verified = copyInto(new Uint8Array(size), this.#verified);
    this.#selfGraduated = copyInto(new Uint8Array(size), this.#selfGraduated);
  }
}

function creationKey({ createdBlock, createdLogIndex }: ListedToken): number {
  return createdBlock * logsPerBlock + createdLogIndex;
}

/** Converts a percentage with 4 decimals to an integer. Rounds, because the product may be off by a floating-point error. */
function tenThousandths(percent: number): number {
  return Math.round(percent * 10_000);
}
