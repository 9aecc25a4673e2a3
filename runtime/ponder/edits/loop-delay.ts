import type { Edit } from "./edit.ts";

/** How often the delay of the event loop is looked at, which Node does with a timer. */
export const loopDelay: Edit[] = [
  // A thousand times a second was half of what an idle service takes of a processor.
  {
    file: "ponder/dist/esm/internal/metrics.js",
    from: "eventLoopMonitoringPrecision: 1,",
    to: "eventLoopMonitoringPrecision: 10,",
  },
];
