import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";

const latencyMs = 60;
const lag = 6;

/** The node behind the endpoints, and how many logs of other contracts they add to each of its blocks. */
type Node = { upstream: string; foreignLogs: number };

export type Setup = {
  description: string;
  /** Starts the endpoints in front of a node. */
  start: (node: Node) => Promise<EmulatedEndpoint[]>;
  /** The URLs for `PONDER_RPC_URL_56`. */
  urls: (endpoints: EmulatedEndpoint[]) => string[];
  /** Additional environment variables. */
  settings?: Record<string, string>;
};

/** BNB Chain's own endpoints, and some others, take no filter without an address, or at most 1,000. */
const limits = { gzip: true, needsAddress: true, addresses: 1_000 };

const good = (node: Node) => startEmulatedEndpoint({ ...node, gzip: true, latencyMs });
const strict = (node: Node) => startEmulatedEndpoint({ ...node, ...limits, latencyMs });
const lagging = (node: Node) => startEmulatedEndpoint({ ...node, gzip: true, latencyMs, lag });
const httpUrls = (endpoints: EmulatedEndpoint[]) => endpoints.map(({ url }) => url);

/** The endpoints and settings that are compared. */
export const setups = {
  polling: {
    description: "one endpoint, polled",
    start: async (node) => [await good(node)],
    urls: httpUrls,
  },
  strict: {
    description: "one that needs addresses",
    start: async (node) => [await strict(node)],
    urls: httpUrls,
  },
  lagging: {
    description: `with one ${lag} blocks behind`,
    start: async (node) => [await good(node), await lagging(node)],
    urls: httpUrls,
  },
  websocket: {
    description: "one endpoint, WebSocket",
    start: async (node) => [await good(node)],
    urls: (endpoints) => endpoints.flatMap(({ url, wsUrl }) => [url, wsUrl]),
  },
  ponder: {
    description: "Ponder's own, polled",
    start: async (node) => [await good(node)],
    urls: httpUrls,
    settings: { SYNC_56: "ponder" },
  },
} satisfies Record<string, Setup>;

export type SetupName = keyof typeof setups;

export const setupNames = Object.keys(setups) as SetupName[];
