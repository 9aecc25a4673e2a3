import type { Edit } from "./edit.ts";

/** Samples the event loop's delay, for which Node uses a timer, less often. */
export const loopDelay: Edit[] = [
  // Sampling a thousand times a second was half of an idle service's processor time, and a hundred times a quarter.
  {
    file: "ponder/dist/esm/internal/metrics.js",
    from: "eventLoopMonitoringPrecision: 1,",
    to: "eventLoopMonitoringPrecision: 50,",
  },
];
