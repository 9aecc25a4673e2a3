import { api, dataOf } from "../data/client.ts";
import { t } from "../language/messages.ts";
import { account } from "../wallet/account.ts";
import { connected } from "../wallet/connection.ts";
import { Refusal } from "../wallet/explain.ts";
import { signTypedData } from "../wallet/typed-data.ts";
import type { Rule } from "./rules.ts";

type Chain = 56 | 97;

/** Each event comes in a message of its own. */
const batch = 1;

/**
 * Asks the wallet to sign a subscription, or access to the account's own. Throws if the wallet refuses, or
 * if the service asks for something else.
 */
async function sign(owner: string, chainId: Chain, wanted: { url: string; rule: Rule } | undefined) {
  const provider = connected.peek()?.provider;
  if (provider === undefined || account.peek() !== owner) throw new Refusal(t.alerts.otherAccount);
  const { typedData, body } = await dataOf(
    api.POST("/api/alerts/message", { body: { owner, chainId, batch, ...wanted } }),
  );
  const { domain, primaryType, message } = typedData;
  // Other typed data could be a permission to take tokens.
  const isAlert =
    domain.name === "Launchpad Alerts" &&
    domain.chainId === chainId &&
    primaryType === (wanted === undefined ? "AlertAccess" : "Alert") &&
    message.owner?.toLowerCase() === owner;
  const isWanted =
    wanted === undefined || (message.url === wanted.url && hasFields(message.rule ?? "", wanted.rule));
  if (!isAlert || !isWanted) throw new Refusal(t.alerts.notAnAlert);
  return { issuedAt: body.issuedAt, signature: await signTypedData(provider, owner, typedData) };
}

/** Whether a rule as it is signed has what was asked for. The API adds the defaults of what was left out. */
function hasFields(text: string, rule: Rule): boolean {
  const signed = JSON.parse(text) as Record<string, unknown>;
  return Object.entries(rule).every(
    ([name, value]) => JSON.stringify(signed[name]) === JSON.stringify(value),
  );
}

/** Makes a subscription with one signature. */
export async function createAlert(owner: string, chainId: Chain, wanted: { url: string; rule: Rule }) {
  const signed = await sign(owner, chainId, wanted);
  const body = { owner, chainId, ...wanted, batch, ...signed };
  return await dataOf(api.POST("/api/alerts", { body }));
}

/** Gets a token for the account's subscriptions with one signature. */
export async function createToken(owner: string, chainId: Chain): Promise<string> {
  const signed = await sign(owner, chainId, undefined);
  return (await dataOf(api.POST("/api/alerts/tokens", { body: { owner, chainId, ...signed } }))).token;
}
