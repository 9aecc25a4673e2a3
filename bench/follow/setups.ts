import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";

const latencyMs = 60;
const lag = 6;

export type Setup = {
  description: string;
  /** Starts the endpoints in front of a node. */
  start: (nodeUrl: string) => Promise<EmulatedEndpoint[]>;
  /** The URLs for `PONDER_RPC_URL_56`. */
  urls: (endpoints: EmulatedEndpoint[]) => string[];
  /** Additional environment variables. */
  settings?: Record<string, string>;
};

const good = (upstream: string) => startEmulatedEndpoint({ upstream, latencyMs });
const lagging = (upstream: string) => startEmulatedEndpoint({ upstream, latencyMs, lag });
const httpUrls = (endpoints: EmulatedEndpoint[]) => endpoints.map(({ url }) => url);

/** The endpoints and settings that are compared. */
export const setups = {
  polling: {
    description: "one endpoint, polled",
    start: async (nodeUrl) => [await good(nodeUrl)],
    urls: httpUrls,
  },
  lagging: {
    description: `with one ${lag} blocks behind`,
    start: async (nodeUrl) => [await good(nodeUrl), await lagging(nodeUrl)],
    urls: httpUrls,
  },
  websocket: {
    description: "one endpoint, WebSocket",
    start: async (nodeUrl) => [await good(nodeUrl)],
    urls: (endpoints) => endpoints.flatMap(({ url, wsUrl }) => [url, wsUrl]),
  },
  ponder: {
    description: "Ponder's own, polled",
    start: async (nodeUrl) => [await good(nodeUrl)],
    urls: httpUrls,
    settings: { SYNC_56: "ponder" },
  },
} satisfies Record<string, Setup>;

export type SetupName = keyof typeof setups;

export const setupNames = Object.keys(setups) as SetupName[];
