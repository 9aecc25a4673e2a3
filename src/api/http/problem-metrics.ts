import { metricText } from "./metric-text.ts";
import type { Problem } from "./problem.ts";

/** How many problems have been answered since the start, by their code. */
const counts = new Map<Problem["code"], { status: number; count: number }>();

export function countProblem({ code, status }: Pick<Problem, "code" | "status">): void {
  const count = (counts.get(code)?.count ?? 0) + 1;
  counts.set(code, { status, count });
}

/** Reads the problems as metrics in the text format of Prometheus. */
export function readProblemMetrics(): string {
  return metricText([
    {
      name: "launchpad_problems_total",
      type: "counter",
      help: "Requests that were answered with a problem, by its code",
      samples: [...counts].map(([code, { status, count }]) => ({ labels: { code, status }, value: count })),
    },
  ]);
}
