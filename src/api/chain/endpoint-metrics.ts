import type { EndpointStatus } from "../../../chain-access/gate/endpoint-status.ts";
import { readEndpointStatus, readLiveLosses } from "../../../chain-access/gate/start-gate.ts";
import { metricText } from "../http/metric-text.ts";

type EndpointMetric = {
  name: string;
  type: "gauge" | "counter";
  help: string;
  read: (status: EndpointStatus) => number | null;
};

const metrics: EndpointMetric[] = [
  {
    name: "healthy",
    type: "gauge",
    help: "1 if the endpoint answers, 0 if it fails or is excluded",
    read: ({ state }) => Number(state === "healthy"),
  },
  {
    name: "head_block",
    type: "gauge",
    help: "The highest block that the endpoint is known to have",
    read: ({ head }) => head,
  },
  {
    name: "lag_blocks",
    type: "gauge",
    help: "Blocks behind the highest block of all endpoints",
    read: ({ lagBlocks }) => lagBlocks,
  },
  {
    name: "rate_limit",
    type: "gauge",
    help: "Requests per second that the endpoint was found to accept",
    read: ({ ratePerSecond }) => ratePerSecond,
  },
  {
    name: "block_range_limit",
    type: "gauge",
    help: "Blocks in one eth_getLogs that the endpoint was found to accept",
    read: ({ blockRange }) => blockRange,
  },
  {
    name: "address_limit",
    type: "gauge",
    help: "Addresses in one eth_getLogs that the endpoint was found to accept",
    read: ({ addresses }) => addresses,
  },
  {
    name: "http_requests_total",
    type: "counter",
    help: "HTTP requests",
    read: ({ requests }) => requests,
  },
  {
    name: "calls_total",
    type: "counter",
    help: "JSON-RPC calls, counting each call of a batch",
    read: ({ calls }) => calls,
  },
  {
    name: "refused_total",
    type: "counter",
    help: "Requests refused as too many",
    read: ({ refused }) => refused,
  },
  {
    name: "late_total",
    type: "counter",
    help: "Requests that timed out",
    read: ({ late }) => late,
  },
  {
    name: "failed_total",
    type: "counter",
    help: "Answers that were malformed or implausible",
    read: ({ failed }) => failed,
  },
  {
    name: "sent_bytes_total",
    type: "counter",
    help: "Bytes sent in requests",
    read: ({ sentBytes }) => sentBytes,
  },
  {
    name: "received_bytes_total",
    type: "counter",
    help: "Bytes received in answers",
    read: ({ receivedBytes }) => receivedBytes,
  },
];

/** Returns the state of the RPC endpoints in Prometheus' text format; empty if this process does not read chains. */
export async function readEndpointMetrics(): Promise<string> {
  const chains = await readEndpointStatus();
  if (chains.size === 0) return "";
  return metricText(
    metrics.map(({ name, type, help, read }) => ({
      name: `launchpad_endpoint_${name}`,
      type,
      help,
      samples: [...chains].flatMap(([chain, endpoints]) =>
        endpoints.map((status) => ({ labels: { chain, endpoint: status.name }, value: read(status) })),
      ),
    })),
  );
}

/** Returns in Prometheus' text format how many logs followed blocks lacked; empty if this process does not read chains. */
export async function readLossMetrics(): Promise<string> {
  const chains = await readLiveLosses();
  if (chains.size === 0) return "";
  return metricText([
    {
      name: "launchpad_live_losses_total",
      type: "counter",
      help: "Logs that were missing or wrong in new blocks, as the blocks' second reading showed",
      samples: Array.from(chains, ([chain, value]) => ({ labels: { chain }, value })),
    },
  ]);
}
