export type ContenderName = keyof typeof contenders;

export const contenders = {
  ours: "ours",
  ponder: "Ponder's own sync",
  fetching: "ours, events only",
  subsquid: "Subsquid, events only",
} as const;

export const contenderNames = Object.keys(contenders) as ContenderName[];

/** The settings of the emulated endpoint in front of the node. The first one only counts requests. */
export const endpoints = {
  direct: {},
  limited: { latencyMs: 60, requestsPerSecond: 50, blockRange: 2_000 },
} as const;

export type EndpointName = keyof typeof endpoints;

export const endpointNames = Object.keys(endpoints) as EndpointName[];
