import type { ChainSettings } from "../../../config/env.ts";
import { bestEffortLimits, createBestEffort } from "./best-effort.ts";
import { createChainClients } from "./chain-client.ts";
import { createDexTermsReader } from "./dex-terms.ts";

/** The DEX's fee in millionths of the amount in; null if graduated tokens can't be quoted, undefined if no endpoint answers. */
export type ReadDexFee = (chain: ChainSettings) => Promise<bigint | null | undefined>;

/** Asks each chain once for the terms of its DEX. Never rejects. */
export function createDexFeeReader(): ReadDexFee {
  const readTerms = createDexTermsReader(createChainClients(bestEffortLimits));
  const tryToAsk = createBestEffort();
  return (chain) => tryToAsk(chain.id, async () => (await readTerms(chain))?.fee ?? null);
}
