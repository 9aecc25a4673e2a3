import type { Environment } from "../../config/env.ts";
import { assertPortFree } from "./port.ts";

/** Throws a StartError when a port that the API needs cannot be listened on. */
export async function assertApiPorts({ host, port, metrics }: Environment): Promise<void> {
  await assertPortFree(port, "API", "PORT", host);
  if (metrics !== undefined) await assertPortFree(metrics.port, "metrics", "METRICS_PORT", metrics.host);
}
