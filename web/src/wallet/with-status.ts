import type { Signal } from "@preact/signals";
import { explain } from "./explain.ts";
import type { Status } from "./run-steps.ts";

/** Does something that the status tells of: that it is being done, and then what `work` resolves to (idle if nothing), or why it failed. */
export async function withStatus(
  status: Signal<Status>,
  text: string,
  work: () => Promise<Status> | Promise<void>,
): Promise<void> {
  status.value = { kind: "working", text };
  try {
    status.value = (await work()) ?? { kind: "idle" };
  } catch (error) {
    status.value = { kind: "failed", text: explain(error) };
  }
}
