declare global {
  var LAUNCHPAD_STARTED: Map<string, (() => unknown) | undefined> | undefined;
}

/**
 * Stops what an earlier run of the API's modules started by this name: in development, Ponder runs them again in the same process when a
 * file of the API is edited.
 *
 * @param stop stops what this run starts. Undefined if it starts nothing
 */
export function onReload(name: string, stop?: () => unknown): void {
  globalThis.LAUNCHPAD_STARTED ??= new Map();
  globalThis.LAUNCHPAD_STARTED.get(name)?.();
  globalThis.LAUNCHPAD_STARTED.set(name, stop);
}
