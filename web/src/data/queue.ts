/** Returns a function that runs steps one after the other. Those after one that fails run all the same. */
export function createQueue(report: (error: unknown) => void = console.error) {
  let last = Promise.resolve();
  return (step: () => void | Promise<void>): Promise<void> => {
    last = last.then(step).catch(report);
    return last;
  };
}
