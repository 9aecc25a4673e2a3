/** A statement with the values of its parameters. */
export type Statement = { text: string; values: unknown[] };

/** The values of a statement's parameters. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds one, and returns how the statement names it. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
