export type Statement = { text: string; values: unknown[] };

/** Collects the values of a statement's parameters. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value, and returns its placeholder, such as `$1`. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
