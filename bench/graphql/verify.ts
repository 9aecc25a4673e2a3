import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { ask } from "./ask.ts";
import type { Question, QuestionInput } from "./question.ts";

/**
 * Compares every answer with that of the SQL. Throws if they differ, or if no question found any row.
 *
 * @returns the number of rows compared
 */
export async function verify(
  client: pg.Client,
  port: number,
  { name, graphql, answer, sql }: Question,
  asked: QuestionInput[],
): Promise<number> {
  let compared = 0;
  for (const { variables, values } of asked) {
    const found = rowsOf(await ask(port, graphql, variables), answer);
    const { rows } = await client.query({ text: sql, values });
    const expected = JSON.parse(JSON.stringify(rows)) as unknown[];
    const different = expected.findIndex((row, index) => !isDeepStrictEqual(row, found[index]));
    if (different !== -1 || found.length !== expected.length) {
      const at = Math.max(0, different);
      throw new Error(
        `"${name}" of ${JSON.stringify(variables)}: row ${at} is ${JSON.stringify(found[at])} in GraphQL, ${JSON.stringify(expected[at])} in SQL`,
      );
    }
    compared += expected.length;
  }
  if (compared === 0) throw new Error(`"${name}" found nothing`);
  return compared;
}

function rowsOf(data: unknown, path: string): unknown[] {
  let value = data;
  for (const field of path.split(".")) value = (value as Record<string, unknown> | null)?.[field];
  if (!Array.isArray(value)) throw new Error(`no rows at ${path} in ${JSON.stringify(data)}`);
  return value;
}
