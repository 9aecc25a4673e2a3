import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { expect } from "vitest";
import type { RestClient } from "./rest-client.ts";
import { signAsWallet } from "./sign-as-wallet.ts";

/** The settings with which a service delivers alerts to receivers on this machine. */
export const alertEnvironment = {
  ALERTS: "on",
  ALERTS_KEY: "5afe".repeat(16),
  ALERTS_PRIVATE_NETWORKS: "127.0.0.0/8",
  ALERTS_REQUESTS_PER_HOST: "1000000",
  ALERTS_PER_ADDRESS: "1000000",
};

export const newWallet = () => privateKeyToAccount(generatePrivateKey());

/** Signs what the service asks a wallet to sign, and returns the body to post. */
export async function signAlert(rest: RestClient, wallet: PrivateKeyAccount, request: object) {
  const { status, body: prepared } = await rest.post("/api/alerts/message", {
    owner: wallet.address,
    ...request,
  });
  expect(status).toBe(200);
  const signature = await signAsWallet(wallet, prepared.typedData);
  return { ...prepared.body, signature };
}

/** Makes a subscription by one signed message. */
export async function createAlert(
  rest: RestClient,
  wallet: PrivateKeyAccount,
  request: { url: string; rule: object; batch?: number },
) {
  return await rest.post("/api/alerts", await signAlert(rest, wallet, request));
}

/** Gets a token by a signed message, and returns what manages the wallet's subscriptions. */
export async function manageAlerts(rest: RestClient, wallet: PrivateKeyAccount) {
  const { body } = await rest.post("/api/alerts/tokens", await signAlert(rest, wallet, {}));
  const headers = { authorization: `Bearer ${body.token}` };
  const withBody = { ...headers, "content-type": "application/json" };
  return {
    token: body.token as string,
    list: () => rest.get("/api/alerts", headers),
    get: (id: string) => rest.get(`/api/alerts/${id}`, headers),
    async change(id: string, change: object) {
      const body = JSON.stringify(change);
      const changed = await rest.request(`/api/alerts/${id}`, { method: "PATCH", headers: withBody, body });
      expect(changed).toMatchObject({ status: 200 });
      return changed;
    },
    end: (id: string) => rest.request(`/api/alerts/${id}`, { method: "DELETE", headers }),
    verify: (id: string) => rest.request(`/api/alerts/${id}/verify`, { method: "POST", headers }),
    test: (id: string) => rest.request(`/api/alerts/${id}/test`, { method: "POST", headers }),
  };
}
