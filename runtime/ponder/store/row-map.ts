import type { Row } from "./ponder-types.ts";

type Level = Map<unknown, unknown>;

/**
 * A map keyed by rows' primary keys: nested maps, one for each column of the key, so that keys need not be joined to text. Values
 * of columns are compared as in a Map.
 */
export class RowMap<Value> {
  readonly #keys: readonly string[];
  readonly #last: string;
  readonly #root: Level = new Map();
  size = 0;

  /** @param keys the names of the key's columns, the one with the fewest values first */
  constructor(keys: readonly string[]) {
    this.#keys = keys.slice(0, -1);
    this.#last = keys.at(-1) ?? "";
  }

  get(key: Row): Value | undefined {
    let level: Level | undefined = this.#root;
    for (const name of this.#keys) {
      level = level.get(key[name]) as Level | undefined;
      if (level === undefined) return undefined;
    }
    return level.get(key[this.#last]) as Value | undefined;
  }

  set(key: Row, value: Value): void {
    let level = this.#root;
    for (const name of this.#keys) {
      let next = level.get(key[name]) as Level | undefined;
      if (next === undefined) {
        next = new Map();
        level.set(key[name], next);
      }
      level = next;
    }
    const before = level.size;
    level.set(key[this.#last], value);
    this.size += level.size - before;
  }

  delete(key: Row): void {
    let level: Level | undefined = this.#root;
    for (const name of this.#keys) {
      level = level.get(key[name]) as Level | undefined;
      if (level === undefined) return;
    }
    if (level.delete(key[this.#last])) this.size -= 1;
  }

  *values(): Generator<Value> {
    yield* valuesOf<Value>(this.#root, this.#keys.length);
  }

  clear(): void {
    this.#root.clear();
    this.size = 0;
  }
}

function* valuesOf<Value>(level: Level, depth: number): Generator<Value> {
  if (depth === 0) yield* level.values() as Iterable<Value>;
  else for (const next of level.values()) yield* valuesOf<Value>(next as Level, depth - 1);
}
