import type { ChainSettings } from "../../../config/env.ts";
import { briefLimits, createBriefAsks } from "./brief-asks.ts";
import { createChainClients } from "./chain-client.ts";
import { createDexTerms } from "./dex-terms.ts";

/** The DEX's fee in millionths of what is paid in: null where graduated tokens can't be quoted, undefined where no endpoint answers. */
export type ReadDexFee = (chain: ChainSettings) => Promise<bigint | null | undefined>;

/** Asks each chain once for the terms of its DEX. Never rejects. */
export function createDexFee(): ReadDexFee {
  const readTerms = createDexTerms(createChainClients(briefLimits));
  const askBriefly = createBriefAsks();
  return (chain) => askBriefly(chain.id, async () => (await readTerms(chain))?.fee ?? null);
}
