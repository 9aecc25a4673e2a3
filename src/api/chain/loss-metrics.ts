import { readLiveLosses } from "../../../chain-access/gate/start-gate.ts";
import { metricText } from "../http/metric-text.ts";

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
