/** Yields the entries of all pages of a list that is read by cursor. Reads a page once the one before is used up. */
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

/** The same of a list whose pages are numbered. What enters or leaves the list meanwhile moves the entries behind it. */
export async function* byNumber<Entry>(
  readPage: (page: number) => Promise<{ entries: Entry[]; hasMore: boolean }>,
): AsyncGenerator<Entry, void, void> {
  for (let page = 1; ; page++) {
    const { entries, hasMore } = await readPage(page);
    yield* entries;
    if (!hasMore) return;
  }
}
