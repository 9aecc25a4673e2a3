/** Counts ticks of the event loop until it is stopped, for tests of code that must not block the loop. */
export function countTicks() {
  let ticks = 0;
  let isStopped = false;
  const count = () => {
    ticks++;
    if (!isStopped) setImmediate(count);
  };
  setImmediate(count);
  return {
    now: () => ticks,
    stop(): void {
      isStopped = true;
    },
  };
}
