import { type Combination, pathOf } from "./requests.ts";

export type Answer = { mints: string[]; total: number; milliseconds: number };

/** Requests a page of the list. Throws unless the answer is a 200. */
export async function ask(port: number, combination: Combination): Promise<Answer> {
  const path = pathOf(combination);
  const askedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const text = await response.text();
  const milliseconds = performance.now() - askedAt;
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}: ${text}`);
  const { tokens, total } = JSON.parse(text) as { tokens: { mint: string }[]; total: number };
  return { mints: tokens.map(({ mint }) => mint), total, milliseconds };
}
