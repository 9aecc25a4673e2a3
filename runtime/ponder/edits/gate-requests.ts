import type { Edit } from "./edit.ts";

/**
 * Raises the rate at which Ponder asks the gate, which is its only `custom_transport`. The gate keeps to each endpoint's own limit
 * and has most answers in memory. At Ponder's initial 20 requests a second, reading the blocks that are not final yet would take
 * seconds after each start.
 */
export const gateRequests: Edit[] = [
  {
    file: "ponder/dist/esm/rpc/index.js",
    from: "rpsLimit: INITIAL_MAX_RPS,",
    to: 'rpsLimit: hostname === "custom_transport" ? MAX_RPS : INITIAL_MAX_RPS,',
  },
];
