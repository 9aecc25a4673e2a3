import { createRandom } from "../../local/market/random.ts";
import { type Board, boards, type Sort, sorts } from "../../src/api/tokens/list/order/sorts.ts";
import { bigCreator, smallCreator } from "../fixture/size.ts";
import { planted } from "../fixture/words.ts";
import { request } from "../shared/load.ts";
import { timed } from "../shared/process.ts";

/** Searches of every kind, which find from one token to a third of all tokens. */
export const searches: (string | undefined)[] = [
  undefined,
  "s",
  "mo",
  "🚀",
  planted.once,
  ...planted.shares.map(({ word }) => word),
  "熊猫币",
  "0x3f7",
];

const creators = [undefined, bigCreator, smallCreator];

/** The filters of a list request. */
export type Selection = { q: string | undefined; creator: string | undefined; board: Board };

export type Combination = Selection & { sort: Sort; page: number; limit: number };

/** The first page of the list as it is without parameters. */
export const newest: Combination = {
  board: "all",
  creator: undefined,
  q: undefined,
  sort: "newest",
  page: 1,
  limit: 20,
};

/** All combinations of board, search and creator. */
export const selections: Selection[] = boards.flatMap((board) =>
  searches.flatMap((q) => creators.map((creator) => ({ board, q, creator }))),
);

const seed = 4_711;

/**
 * All combinations of board, sort, search, creator and page, shuffled in the same way each time. The pages are the first two, the
 * middle one and the last.
 *
 * @param totalOf returns the number of tokens in one of the selections
 */
export function combinations(totalOf: (selection: Selection) => number): Combination[] {
  const random = createRandom(seed);
  const all = selections.flatMap((selection) =>
    sorts.flatMap((sort) =>
      (["first", "second", "middle", "last"] as const).map((place) => {
        const limit = random.chance(0.1) ? 100 : 20;
        const last = Math.max(1, Math.ceil(totalOf(selection) / limit));
        const page = { first: 1, second: 2, middle: Math.ceil(last / 2), last }[place];
        return { ...selection, sort, limit, page };
      }),
    ),
  );
  for (let index = all.length - 1; index > 0; index--) {
    const other = random.integer(0, index);
    [all[index], all[other]] = [all[other] as Combination, all[index] as Combination];
  }
  return all;
}

export function pathOf({ q, creator, board, sort, page, limit }: Combination): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ q, creator, board, sort, page, limit })) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return `/api/tokens?${parameters}`;
}

/** Requests a page of the list, again while the service reads the list. */
export async function ask(
  url: string,
  combination: Combination,
): Promise<{ mints: string[]; total: number; milliseconds: number }> {
  const read = (): ReturnType<typeof request> =>
    request(url + pathOf(combination)).catch((error: Error) => {
      if (error.message.includes('"warming_up"')) return read();
      throw error;
    });
  const [milliseconds, { text }] = await timed(read);
  const { tokens, total } = JSON.parse(text) as { tokens: { mint: string }[]; total: number };
  return { mints: tokens.map(({ mint }) => mint), total, milliseconds };
}
