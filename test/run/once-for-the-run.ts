import type { TestProject } from "vitest/node";

type Provide = (project: TestProject) => void;
type Started = { provide?: Provide; stop: () => Promise<void> };
type Shared = { users: number; started: Promise<Started> };

/**
 * A global setup that several projects share, though vitest loads and runs the file for each of them. The first project starts it,
 * and the last one stops it.
 */
export function onceForTheRun(name: string, start: () => Promise<(() => Promise<void>) | Started>) {
  const key = Symbol.for(`launchpad-test/${name}`);
  const shared = globalThis as unknown as Record<symbol, Shared | undefined>;
  return async (project: TestProject): Promise<() => Promise<void>> => {
    shared[key] ??= {
      users: 0,
      started: start().then((result) => (typeof result === "function" ? { stop: result } : result)),
    };
    const own = shared[key];
    own.users++;
    const { provide, stop } = await own.started;
    provide?.(project);
    return async () => {
      own.users--;
      if (own.users > 0) return;
      shared[key] = undefined;
      await stop();
    };
  };
}
