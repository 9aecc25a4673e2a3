/**
 * Assigns searches to workers evenly. With at least as many workers as searches, each worker gets one search; with fewer, each
 * search gets one worker. If the last search takes the place of one that has ended, most of the others keep their workers.
 */
export function shareOut(workers: number, searches: number): number[][] {
  const shares = Array.from({ length: workers }, (): number[] => []);
  if (searches === 0) return shares;
  for (let turn = 0; turn < Math.max(workers, searches); turn++) {
    shares[turn % workers]?.push(turn % searches);
  }
  return shares;
}
