import { chainIds } from "./chain-settings.ts";
import type { Variables } from "./variables.ts";

const removed = {
  RPC_LANES: "requests are paced by what each endpoint takes",
  RPC_CACHE: "what was read from a chain is always kept",
};

/** A line for each variable that an earlier version read, and that has no effect any more. */
export function findRemoved(variables: Variables): string[] {
  return Object.entries(removed).flatMap(([name, why]) =>
    chainIds.flatMap((id) =>
      variables[`${name}_${id}`] ? [`${name}_${id} has no effect any more: ${why}. Take it out`] : [],
    ),
  );
}
