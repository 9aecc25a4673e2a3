import type { KeptRows } from "./kept-rows.ts";
import type { Row } from "./ponder-parts.ts";
import type { Change, RowAccess } from "./row-access.ts";

/** `db.insert(table).values(...)`: of one row, or of several, one after the other. */
export class Insertion implements PromiseLike<Row | Row[]> {
  readonly #access: RowAccess;
  readonly #rows: KeptRows;
  readonly #values: Row | Row[];

  constructor(access: RowAccess, rows: KeptRows, values: Row | Row[]) {
    this.#access = access;
    this.#rows = rows;
    this.#values = values;
  }

  onConflictDoNothing() {
    return this.#each((values) => this.#access.insertUnlessThere(this.#rows, values));
  }

  onConflictDoUpdate(change: Change) {
    return this.#each((values) => this.#access.insertOrUpdate(this.#rows, values, change));
  }

  /** Awaited itself, it may meet no row of the key. */
  // biome-ignore lint/suspicious/noThenProperty: Ponder's insertion is awaited so too.
  then<A, B>(
    onInserted?: ((rows: Row | Row[]) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#insert().then(onInserted, onError) as Promise<A | B>;
  }

  catch<B>(onError: (error: unknown) => B | PromiseLike<B>) {
    return this.#insert().catch(onError);
  }

  finally(onEnd: () => void) {
    return this.#insert().finally(onEnd);
  }

  async #insert(): Promise<Row | Row[]> {
    return await this.#each((values) => this.#access.insert(this.#rows, values));
  }

  #each<T>(use: (values: Row) => Promise<T>): Promise<T | T[]> {
    return Array.isArray(this.#values) ? inOrder(this.#values, use) : use(this.#values);
  }
}

async function inOrder<T>(values: Row[], use: (values: Row) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const value of values) results.push(await use(value));
  return results;
}
