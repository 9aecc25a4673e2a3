import { startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import type { Processes } from "../index/processes.ts";
import { type ContenderName, type EndpointName, endpoints } from "./contenders.ts";
import { runFetching } from "./run-fetching.ts";
import { type RunOptions, runPonder } from "./run-ponder.ts";
import { runSubsquid } from "./run-subsquid.ts";
import { extrapolate, type Sample } from "./sample.ts";

export type MeasureOptions = Omit<RunOptions, "endpoint"> & {
  contender: ContenderName;
  endpointName: EndpointName;
  /** The URL of the node with the chain. */
  nodeUrl: string;
};

/** Lets a contender sync the chain once, through a new endpoint. */
export async function measure(processes: Processes, options: MeasureOptions): Promise<Sample> {
  const { contender, endpointName, nodeUrl, ...rest } = options;
  const endpoint = await startEmulatedEndpoint({ upstream: nodeUrl, ...endpoints[endpointName] });
  try {
    const run = { ...rest, endpoint };
    if (contender === "subsquid") return extrapolate(await runSubsquid(processes, run));
    if (contender === "fetching") return extrapolate(await runFetching(processes, run));
    return extrapolate(await runPonder(processes, contender, run));
  } finally {
    await endpoint.stop();
  }
}
