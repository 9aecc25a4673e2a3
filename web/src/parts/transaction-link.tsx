import { chainExplorer } from "../format/chain-explorer.ts";
import { ExternalLink } from "./external-link.tsx";

/** A link to a row's transaction on the chain's public explorer. */
export function TransactionLink({ chainId, tx }: { chainId: number; tx: string }) {
  return (
    <ExternalLink href={chainExplorer(chainId, "tx", tx)}>
      <span class="visually-hidden">Transaction on BscScan</span>
    </ExternalLink>
  );
}
