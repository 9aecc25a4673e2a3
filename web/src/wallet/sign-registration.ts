import { api, dataOf } from "../data/client.ts";
import { t } from "../language/messages.ts";
import { account, connected } from "./connection.ts";
import { Refusal } from "./explain.ts";
import type { StatusSignal } from "./run-steps.ts";
import { signingTime, signTypedData } from "./signing.ts";

type Body = Record<string, unknown> & { mint: string };

/** Asks the creator's wallet to sign a registration. Throws if it refuses, or if the service asks for something else. */
export async function signRegistration(
  status: StatusSignal,
  body: Body,
  chainId: 56 | 97,
  creator: string,
): Promise<{ signature: string; issuedAt: number }> {
  const provider = connected.peek()?.provider;
  if (provider === undefined || account.peek() === undefined) throw new Refusal(t.transaction.notConnected);
  const asked = api.GET("/api", { params: { query: { chainId } } });
  const { registrationSignature } = await dataOf(asked);
  const { response } = await asked;
  const { domain, types, primaryType } = registrationSignature;
  // Other typed data could be a permission to take tokens.
  const isRegistration = primaryType === "Registration" && domain.name === "Launchpad Registration";
  if (!isRegistration || domain.chainId !== chainId) {
    throw new Refusal(t.registration.notARegistration);
  }
  const issuedAt = signingTime(response.headers, Date.now());
  const fields = types[primaryType] ?? [];
  const values = fields.map(({ name }) => [
    name,
    name === "issuedAt" ? String(issuedAt) : (body[name] ?? ""),
  ]);
  const message = Object.fromEntries(values);
  return {
    signature: await signTypedData(status, provider, creator, { domain, primaryType, message, types }),
    issuedAt,
  };
}

/** The fields that have a text. */
export const nonEmpty = (texts: Record<string, string | null | undefined>) =>
  Object.fromEntries(
    Object.entries(texts).filter(([, text]) => text !== undefined && text !== null && text !== ""),
  );
