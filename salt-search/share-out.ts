/**
 * Assigns searches to workers, evenly: with at least as many workers as searches, each worker has one search; with fewer, each
 * search has one worker. If the last search takes the place of one that has ended, the others stay where they are as far as
 * possible.
 */
export function shareOut(workers: number, searches: number): number[][] {
  const shares = Array.from({ length: workers }, (): number[] => []);
  if (searches === 0) return shares;
  for (let turn = 0; turn < Math.max(workers, searches); turn++) {
    shares[turn % workers]?.push(turn % searches);
  }
  return shares;
}
