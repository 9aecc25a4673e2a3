/** Where and when a listed token was created, and what decides its place in the list. */
export type ListedToken = {
  chainId: number;
  board: number;
  /** Percent. */
  burnPercent: number;
  createdBlock: number;
  createdLogIndex: number;
};

/** A chain has fewer logs in a block than this. */
const logsPerBlock = 2 ** 21;

/**
 * What orders and filters the list, of each listed token, by registration id. 16 bytes a token, so that a million
 * fit anywhere. A token that is not listed has the chain id 0.
 */
export class EntryTable {
  #chainId = new Uint32Array(0);
  #board = new Uint8Array(0);
  #burnPercent = new Uint8Array(0);
  #creation = new Float64Array(0);

  /** The number of ids that there is room for. */
  get size(): number {
    return this.#chainId.length;
  }

  chainId(id: number): number {
    return this.#chainId[id] ?? 0;
  }

  board(id: number): number {
    return this.#board[id] as number;
  }

  set(id: number, token: ListedToken | undefined): void {
    this.#makeRoom(id);
    this.#chainId[id] = token?.chainId ?? 0;
    if (token === undefined) return;
    this.#board[id] = token.board;
    this.#burnPercent[id] = token.burnPercent;
    this.#creation[id] = token.createdBlock * logsPerBlock + token.createdLogIndex;
  }

  /** Whether the entry is this already. */
  equals(id: number, token: ListedToken | undefined): boolean {
    if (token === undefined) return this.chainId(id) === 0;
    return (
      this.chainId(id) === token.chainId &&
      this.#board[id] === token.board &&
      this.#burnPercent[id] === token.burnPercent &&
      this.#creation[id] === token.createdBlock * logsPerBlock + token.createdLogIndex
    );
  }

  /**
   * Newest last. After a reorg a token may have the very place of one that is gone: until that one is taken out as well,
   * the ids tell them apart.
   */
  byCreation = (left: number, right: number): number =>
    (this.#creation[left] as number) - (this.#creation[right] as number) || left - right;

  /** Highest burned share last, the newest last among equals. */
  byBurnPercent = (left: number, right: number): number =>
    (this.#burnPercent[left] as number) - (this.#burnPercent[right] as number) ||
    this.byCreation(left, right);

  #makeRoom(id: number): void {
    if (id < this.size) return;
    const size = Math.max(1_024, 2 * id);
    this.#chainId = grown(new Uint32Array(size), this.#chainId);
    this.#board = grown(new Uint8Array(size), this.#board);
    this.#burnPercent = grown(new Uint8Array(size), this.#burnPercent);
    this.#creation = grown(new Float64Array(size), this.#creation);
  }
}

function grown<Values extends Uint8Array | Uint32Array | Float64Array>(room: Values, values: Values): Values {
  room.set(values);
  return room;
}
