import { api, dataOf } from "../data/client.ts";
import { t } from "../language/messages.ts";
import { account, connected } from "../wallet/connection.ts";
import { Refusal } from "../wallet/explain.ts";
import type { StatusSignal } from "../wallet/run-steps.ts";
import { signTypedData } from "../wallet/signing.ts";
import type { Rule } from "./rules.ts";

/** Whose subscriptions. */
type Access = { owner: string; chainId: 56 | 97 };

/** Each event comes in a message of its own. */
const batch = 1;

/**
 * Asks the wallet to sign a subscription, or access to the account's own. Throws if the wallet refuses, or
 * if the service asks for something else.
 */
async function sign(
  status: StatusSignal,
  { owner, chainId }: Access,
  wanted: { url: string; rule: Rule } | undefined,
) {
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
  return { issuedAt: body.issuedAt, signature: await signTypedData(status, provider, owner, typedData) };
}

/** Whether a rule as it is signed has what was asked for. The API adds the defaults of what was left out. */
function hasFields(text: string, rule: Rule): boolean {
  const signed = JSON.parse(text) as Record<string, unknown>;
  return Object.entries(rule).every(
    ([name, value]) => JSON.stringify(signed[name]) === JSON.stringify(value),
  );
}

/** Makes a subscription with one signature. */
export async function createAlert(status: StatusSignal, access: Access, wanted: { url: string; rule: Rule }) {
  const signed = await sign(status, access, wanted);
  const body = { ...access, ...wanted, batch, ...signed };
  return await dataOf(api.POST("/api/alerts", { body }));
}

/** Gets a token for the account's subscriptions with one signature. */
export async function createToken(status: StatusSignal, access: Access): Promise<string> {
  const signed = await sign(status, access, undefined);
  return (await dataOf(api.POST("/api/alerts/tokens", { body: { ...access, ...signed } }))).token;
}

/** The requests with which a wallet manages its subscriptions, by the token that it has signed for. */
export function manage(token: string) {
  const header = { Authorization: `Bearer ${token}` };
  const one = (id: string) => ({ params: { header, path: { id } } });
  return {
    list: () => dataOf(api.GET("/api/alerts", { params: { header } })),
    change: (id: string, body: Change) => dataOf(api.PATCH("/api/alerts/{id}", { ...one(id), body })),
    end: (id: string) => dataOf(api.DELETE("/api/alerts/{id}", one(id))),
    verify: (id: string) => dataOf(api.POST("/api/alerts/{id}/verify", one(id))),
    test: (id: string) => dataOf(api.POST("/api/alerts/{id}/test", one(id))),
  };
}

export type Change = { status?: "active" | "paused"; url?: string; rotateSecret?: true; from?: string };

export type Manager = ReturnType<typeof manage>;

export type Alert = Awaited<ReturnType<Manager["list"]>>["alerts"][number];

type Failure = Pick<Alert["deliveries"][number], "status" | "error" | "errorCode">;

/** Why something didn't arrive, to complete a sentence. What another version of the service tried is in its words. */
export function failureText({ status, error, errorCode }: Failure): string {
  const failures: Partial<typeof t.alerts.failures> = t.alerts.failures;
  return (errorCode && failures[errorCode]?.(status ?? 0)) ?? error ?? "";
}
