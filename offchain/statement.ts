import pg from "pg";

/** A value within a statement. */
export class Literal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const literal = (text: string) => new Literal(text);

/**
 * Builds a statement that takes no parameters, such as DDL. Substitutions are quoted: names as identifiers, a {@link literal}
 * as a value.
 *
 * @example statement`alter role ${name} password ${literal(password)}`
 */
export function statement(parts: TemplateStringsArray, ...substitutions: (string | Literal)[]): string {
  const quoted = substitutions.map((value) =>
    value instanceof Literal ? pg.escapeLiteral(value.text) : pg.escapeIdentifier(value),
  );
  return String.raw({ raw: parts }, ...quoted);
}
