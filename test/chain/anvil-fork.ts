import { type Anvil, startAnvil } from "./anvil.ts";

/**
 * Starts an anvil that forks another one at its head. It reads earlier state from the other one, so it must be stopped first.
 */
export function startFork({ chainId, rpcUrl }: Pick<Anvil, "chainId" | "rpcUrl">): Promise<Anvil> {
  return startAnvil({ chainId, args: ["--fork-url", rpcUrl, "--no-storage-caching"] });
}
