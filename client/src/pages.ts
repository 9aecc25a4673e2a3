/** Yields the entries of all pages of a list that is paged by cursor. Fetches a page once the previous one is used up. */
export async function* byCursor<Entry>(
  readPage: (cursor: string | undefined) => Promise<{ entries: Entry[]; nextCursor: string | null }>,
): AsyncGenerator<Entry, void, void> {
  let cursor: string | undefined;
  do {
    const { entries, nextCursor } = await readPage(cursor);
    yield* entries;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
