import { privateKeyToAddress } from "viem/accounts";
import { testKey } from "./anvil.ts";
import type { LocalDeployment } from "./chain-files.ts";

export type WelcomeOptions = {
  port: number;
  /** The embedded Postgres; undefined: the one of DATABASE_URL. */
  embedded: { analystUrl: string; ownerPasswordFile: string } | undefined;
  rpcUrl: string;
  deployment: LocalDeployment;
  market: boolean;
};

/** The message when everything is running: the addresses, and a command to try. */
export function welcome({ port, embedded, rpcUrl, deployment, market }: WelcomeOptions): string {
  const api = `http://localhost:${port}`;
  return `
  The launchpad is live${market ? ", with a simulated market" : ""}. Ctrl-C stops it; the next start carries on.

    Explorer   ${api}
    REST       ${api}/api  (its documentation: ${api}/docs)
    GraphQL    ${api}/graphql
    SQL        ${api}/sql  (docs/analysts.md)
    RPC        ${rpcUrl}  (chain id 56)
    Contracts  TokenFactory ${deployment.tokenFactory}
               Launchpad    ${deployment.launchpad}
               DEX router   ${deployment.router}
               BNB/USD feed ${deployment.priceFeed}
    Postgres   ${postgres(embedded)}
    Test key   ${testKey}
               (${privateKeyToAddress(testKey)}, funded on this chain only; everyone knows it)

  Try:

    curl -s '${api}/api/tokens?board=graduating&limit=3'
`;
}

const postgres = (embedded: WelcomeOptions["embedded"]) =>
  embedded === undefined
    ? "the one of DATABASE_URL"
    : `${embedded.analystUrl}  (reads only)
    its owner  launchpad, with the password in ${embedded.ownerPasswordFile}`;
