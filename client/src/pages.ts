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

/**
 * Yields the entries of all pages of a list with numbered pages. Entries that enter or leave the list meanwhile shift the rest, so
 * that some may be repeated or skipped.
 */
export async function* byNumber<Entry>(
  readPage: (page: number) => Promise<{ entries: Entry[]; hasMore: boolean }>,
): AsyncGenerator<Entry, void, void> {
  for (let page = 1; ; page++) {
    const { entries, hasMore } = await readPage(page);
    yield* entries;
    if (!hasMore) return;
  }
}
