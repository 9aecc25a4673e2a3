/**
 * Creates a reader of a list's beginning, as many entries as were ever asked for. Of readings at the same time, the one that began last
 * counts: the others resolve to undefined.
 */
export function createReader<Entry>() {
  let readings = 0;
  let most = 0;
  return async (
    readAll: () => AsyncGenerator<Entry, void, void>,
    wanted: number,
  ): Promise<{ entries: Entry[]; isComplete: boolean } | undefined> => {
    const reading = ++readings;
    most = Math.max(most, wanted);
    const entries: Entry[] = [];
    let isComplete = true;
    for await (const entry of readAll()) {
      entries.push(entry);
      isComplete = entries.length < most;
      if (!isComplete) break;
    }
    return reading === readings ? { entries, isComplete } : undefined;
  };
}
