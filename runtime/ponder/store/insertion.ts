import type { CachedRows } from "./cached-rows.ts";
import type { Row } from "./ponder-types.ts";
import type { Change, RowAccess } from "./row-access.ts";

/** The result of `db.insert(table).values(...)`, which inserts one row, or several in sequence. */
export class Insertion implements PromiseLike<Row | Row[]> {
  readonly #access: RowAccess;
  readonly #rows: CachedRows;
  readonly #values: Row | Row[];

  constructor(access: RowAccess, rows: CachedRows, values: Row | Row[]) {
    this.#access = access;
    this.#rows = rows;
    this.#values = values;
  }

  onConflictDoNothing() {
    return this.#each((values) => this.#access.insertOrIgnore(this.#rows, values));
  }

  onConflictDoUpdate(change: Change) {
    return this.#each((values) => this.#access.insertOrUpdate(this.#rows, values, change));
  }

  /** Inserts without conflict handling: throws if there is a row with the key already. */
  // biome-ignore lint/suspicious/noThenProperty: Ponder's insertion can be awaited too.
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
