/**
 * Which of `searches` searches each of `workers` workers is at: all at one when it is alone; each at one, in equal
 * parts, while there are enough workers; else each search at one worker, in equal parts again. When the last search takes
 * the place of one that has ended, the others stay where they are, as far as that can be.
 */
export function shareOut(workers: number, searches: number): number[][] {
  const shares = Array.from({ length: workers }, (): number[] => []);
  if (searches === 0) return shares;
  for (let turn = 0; turn < Math.max(workers, searches); turn++) {
    shares[turn % workers]?.push(turn % searches);
  }
  return shares;
}
