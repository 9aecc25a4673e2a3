import type { Environment } from "../../config/env.ts";
import { assertPortFree } from "./port.ts";

/** Throws a StartError if the API can't listen on a port that it needs. */
export async function assertApiPorts({ host, port, metrics }: Environment): Promise<void> {
  await assertPortFree(port, "API", "PORT", host);
  if (metrics !== undefined) await assertPortFree(metrics.port, "metrics", "METRICS_PORT", metrics.host);
}
