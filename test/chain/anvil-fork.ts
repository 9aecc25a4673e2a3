import { type Anvil, startAnvil } from "./anvil.ts";

/**
 * Starts an anvil that has the other one's blocks so far, and mines its own from there on. It asks the other one for what was
 * before, so it has to end first.
 */
export function startFork({ chainId, rpcUrl }: Pick<Anvil, "chainId" | "rpcUrl">): Promise<Anvil> {
  return startAnvil({ chainId, args: ["--fork-url", rpcUrl, "--no-storage-caching"] });
}
