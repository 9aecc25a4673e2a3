/** Picks the given fields of an entry, in the entry's order, and always its mint. */
export function chooseFields<Entry extends { mint: string }>(
  entry: Entry,
  fields: readonly (keyof Entry)[],
): Partial<Entry> & { mint: string } {
  const names: readonly PropertyKey[] = fields;
  const chosen = Object.entries(entry).filter(([name]) => names.includes(name));
  return { mint: entry.mint, ...(Object.fromEntries(chosen) as Partial<Entry>) };
}
