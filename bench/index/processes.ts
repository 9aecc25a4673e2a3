import { type Child, type ChildOptions, type Exit, startChild } from "../../runtime/process/child-process.ts";
import type { Supervisor } from "../../runtime/process/supervisor.ts";

/** The processes of a measurement. They may end at any time, and none outlives the benchmark. */
export type Processes = {
  start(command: string, args: string[], options: ChildOptions): Child;
  /** Throws if the process has ended or the benchmark is being stopped. */
  assertAlive(child: Child, name: string): Promise<void>;
};

export async function startProcesses(supervisor: Supervisor): Promise<Processes> {
  const running = new Set<Child>();
  const ended = Promise.withResolvers<Exit>();
  let start: Processes["start"] | undefined;
  await supervisor.adopt("measured processes", async ({ signal, leash }) => {
    start = (command, args, options) => {
      signal.throwIfAborted();
      const child = startChild(command, args, options, leash);
      running.add(child);
      void child.exited.then(() => running.delete(child));
      return child;
    };
    return {
      exited: ended.promise,
      kill: () => running.forEach((child) => void child.kill()),
      async stop({ timeoutMs } = {}) {
        await Promise.all([...running].map((child) => child.stop({ timeoutMs })));
        ended.resolve({ code: 0, signal: null });
      },
    };
  });

  return {
    start(...args) {
      if (start === undefined) throw new Error("the processes were not started");
      return start(...args);
    },
    async assertAlive(child, name) {
      supervisor.signal.throwIfAborted();
      if (running.has(child)) return;
      const { code, signal } = await child.exited;
      throw new Error(
        [`${name} ended (${signal ?? `exit code ${code}`})`, ...child.lastLines()].join("\n  "),
      );
    },
  };
}
