import type { EndpointStatus } from "../../../chain-access/gate/endpoint-status.ts";
import { readEndpointStatus } from "../../../chain-access/gate/start-gate.ts";
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
    help: "1 if it answers, 0 if it fails or is excluded",
    read: ({ state }) => Number(state === "healthy"),
  },
  {
    name: "head_block",
    type: "gauge",
    help: "The last block that it is known to have",
    read: ({ head }) => head,
  },
  {
    name: "lag_blocks",
    type: "gauge",
    help: "Blocks behind the highest of all endpoints",
    read: ({ lagBlocks }) => lagBlocks,
  },
  {
    name: "rate_limit",
    type: "gauge",
    help: "Requests a second that it has been found to take",
    read: ({ ratePerSecond }) => ratePerSecond,
  },
  {
    name: "block_range_limit",
    type: "gauge",
    help: "Blocks in one eth_getLogs that it has been found to take",
    read: ({ blockRange }) => blockRange,
  },
  {
    name: "address_limit",
    type: "gauge",
    help: "Addresses in one eth_getLogs that it has been found to take",
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
    help: "JSON-RPC calls, those of batches one by one",
    read: ({ calls }) => calls,
  },
  {
    name: "refused_total",
    type: "counter",
    help: "Answers that said: too many requests",
    read: ({ refused }) => refused,
  },
  {
    name: "late_total",
    type: "counter",
    help: "Requests without an answer in time",
    read: ({ late }) => late,
  },
  {
    name: "failed_total",
    type: "counter",
    help: "Answers that were broken or could not be true",
    read: ({ failed }) => failed,
  },
  {
    name: "sent_bytes_total",
    type: "counter",
    help: "Bytes of requests",
    read: ({ sentBytes }) => sentBytes,
  },
  {
    name: "received_bytes_total",
    type: "counter",
    help: "Bytes of answers",
    read: ({ receivedBytes }) => receivedBytes,
  },
];

/** How the RPC endpoints do, in Prometheus' text format. Empty where this process does not read chains. */
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
