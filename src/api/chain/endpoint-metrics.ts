import type { EndpointStatus } from "../../../chain-access/gate/endpoint-status.ts";
import { readEndpointStatus, readLiveLosses } from "../../../chain-access/gate/start-gate.ts";
import { counter, gauge, metricText } from "../http/metric-text.ts";

/** Returns the state of the RPC endpoints in Prometheus' text format; empty if this process does not read chains. */
export async function readEndpointMetrics(): Promise<string> {
  const chains = await readEndpointStatus();
  if (chains.size === 0) return "";
  const ofEach = (read: (status: EndpointStatus) => number | null) =>
    [...chains].flatMap(([chain, endpoints]) =>
      endpoints.map((status) => ({ labels: { chain, endpoint: status.name }, value: read(status) })),
    );
  return metricText([
    gauge(
      "launchpad_endpoint_healthy",
      "1 if the endpoint answers, 0 if it fails or is excluded",
      ofEach(({ state }) => Number(state === "healthy")),
    ),
    gauge(
      "launchpad_endpoint_head_block",
      "The highest block that the endpoint is known to have",
      ofEach(({ head }) => head),
    ),
    gauge(
      "launchpad_endpoint_lag_blocks",
      "Blocks behind the highest block of all endpoints",
      ofEach(({ lagBlocks }) => lagBlocks),
    ),
    gauge(
      "launchpad_endpoint_rate_limit",
      "Requests per second that the endpoint was found to accept",
      ofEach(({ ratePerSecond }) => ratePerSecond),
    ),
    gauge(
      "launchpad_endpoint_block_range_limit",
      "Blocks in one eth_getLogs that the endpoint was found to accept",
      ofEach(({ blockRange }) => blockRange),
    ),
    gauge(
      "launchpad_endpoint_address_limit",
      "Addresses in one eth_getLogs that the endpoint was found to accept",
      ofEach(({ addresses }) => addresses),
    ),
    counter(
      "launchpad_endpoint_http_requests_total",
      "HTTP requests",
      ofEach(({ requests }) => requests),
    ),
    counter(
      "launchpad_endpoint_calls_total",
      "JSON-RPC calls, counting each call of a batch",
      ofEach(({ calls }) => calls),
    ),
    counter(
      "launchpad_endpoint_refused_total",
      "Requests refused as too many",
      ofEach(({ refused }) => refused),
    ),
    counter(
      "launchpad_endpoint_late_total",
      "Requests that timed out",
      ofEach(({ late }) => late),
    ),
    counter(
      "launchpad_endpoint_failed_total",
      "Answers that were malformed or implausible",
      ofEach(({ failed }) => failed),
    ),
    counter(
      "launchpad_endpoint_sent_bytes_total",
      "Bytes sent in requests",
      ofEach(({ sentBytes }) => sentBytes),
    ),
    counter(
      "launchpad_endpoint_received_bytes_total",
      "Bytes received in answers",
      ofEach(({ receivedBytes }) => receivedBytes),
    ),
  ]);
}

/** Returns in Prometheus' text format how many logs followed blocks lacked; empty if this process does not read chains. */
export async function readLossMetrics(): Promise<string> {
  const chains = await readLiveLosses();
  if (chains.size === 0) return "";
  return metricText([
    counter(
      "launchpad_live_losses_total",
      "Logs that were missing or wrong in new blocks, as the blocks' second reading showed",
      Array.from(chains, ([chain, value]) => ({ labels: { chain }, value })),
    ),
  ]);
}
