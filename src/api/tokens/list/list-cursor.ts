import { hashSelection } from "../../http/cursor.ts";
import type { ListPosition, ListView } from "./order/sorts.ts";

/**
 * A cursor of the list: the position of the last row of a page, and a hash of what was listed. Tokens that move meanwhile don't
 * move the position, so they don't shift the next page.
 */
type ListCursor = { selection: string; position: ListPosition };

/** What decides which tokens are in a list, and their order. */
type Selection = ListView & {
  query?: string | undefined;
  typos?: true | undefined;
  creator?: string | undefined;
  mints: readonly string[];
};

const kind = "tokens";
const cursorPattern = /^tokens\.([\w-]{8})\.([\w-]{43})$/;
const numberBytes = 8;

export function hashListSelection({
  chainId,
  board,
  order,
  conditions,
  query,
  typos,
  creator,
  mints,
}: Selection): string {
  return hashSelection({ chainId, board, order, conditions, query, typos, creator, mints });
}

export function formatListCursor(selection: string, position: ListPosition): string {
  const bytes = Buffer.alloc(position.length * numberBytes);
  for (const [index, value] of position.entries()) bytes.writeDoubleBE(value, index * numberBytes);
  return `${kind}.${selection}.${bytes.toString("base64url")}`;
}

/** Returns undefined if the text is not a cursor of the list. */
export function parseListCursor(text: string): ListCursor | undefined {
  const [, selection, encoded] = cursorPattern.exec(text) ?? [];
  if (selection === undefined || encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, "base64url");
  const numberAt = (index: number) => bytes.readDoubleBE(index * numberBytes);
  const position: ListPosition = [numberAt(0), numberAt(1), numberAt(2), numberAt(3)];
  const isOurs = position.every((value) => value >= 0) && formatListCursor(selection, position) === text;
  return isOurs ? { selection, position } : undefined;
}
