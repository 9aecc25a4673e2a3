import { chainIds } from "./chain-settings.ts";
import type { Variables } from "./variables.ts";

const removed = {
  RPC_LANES: "requests are paced by what each endpoint allows",
  RPC_CACHE: "what was read from a chain is always stored",
};

/** Returns a line for each variable that an earlier version read, and that no longer has an effect. */
export function findRemoved(variables: Variables): string[] {
  return Object.entries(removed).flatMap(([name, why]) =>
    chainIds.flatMap((id) =>
      variables[`${name}_${id}`] ? [`${name}_${id} no longer has an effect: ${why}. Remove it`] : [],
    ),
  );
}
