import { shortAddress } from "../format/text.ts";
import { accountPath, withChain } from "../routing/routes.ts";

/** A link to an account's page, with its shortened address. */
export function AccountLink({ address, children }: { address: string; children?: preact.ComponentChildren }) {
  return (
    <a class="address" href={withChain(accountPath(address))} title={address}>
      {children ?? shortAddress(address)}
    </a>
  );
}
