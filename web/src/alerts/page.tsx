import { signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { targetChain } from "../data/chain.ts";
import { api, dataOf, LaunchpadError } from "../data/client.ts";
import { useReloadEvery, useResource } from "../data/resource.ts";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";
import { Pending } from "../parts/problem.tsx";
import { Title } from "../shell/page-head.tsx";
import { account } from "../wallet/connection.ts";
import type { Status } from "../wallet/run-steps.ts";
import { StatusLine } from "../wallet/status-line.tsx";
import { WithWallet } from "../wallet/switch-chain.tsx";
import { WalletButton } from "../wallet/wallet-button.tsx";
import { withStatus } from "../wallet/with-status.ts";
import { AlertEntry } from "./entry.tsx";
import { mintsOf, type Names } from "./rule-words.tsx";
import { createToken, manage } from "./subscriptions.ts";
import "./alerts.css";

/*
 * Tokens with which wallets manage their alerts, by account and chain. They last as long as the tab, so that a reload asks for no other
 * signature.
 */

const storageKey = "alert-tokens";

const tokens = signal<Record<string, string>>(read());

const key = (owner: string, chainId: number) => `${owner} ${chainId}`;

const tokenOf = (owner: string, chainId: number): string | undefined => tokens.value[key(owner, chainId)];

/** Keeps a token, or with undefined forgets it. */
function keepToken(owner: string, chainId: number, token: string | undefined): void {
  const { [key(owner, chainId)]: _, ...others } = tokens.value;
  tokens.value = token === undefined ? others : { ...others, [key(owner, chainId)]: token };
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(tokens.value));
  } catch {
    // Forbidden: then it lasts until the page is closed.
  }
}

function read(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? "{}");
  } catch {
    return {};
  }
}

/** How often deliveries are read again. */
const reloadMs = 10_000;

/** The alerts of the connected wallet. */
export default function AlertsPage() {
  const owner = account.value;
  const chain = targetChain();
  const token = owner === undefined ? undefined : tokenOf(owner, chain);
  return (
    <>
      <Title>{t.common.alerts}</Title>
      <h1 class="page-title">{t.common.alerts}</h1>
      <p class="muted alerts-intro">{t.alerts.intro(<Icon name="bell" />)}</p>
      {owner === undefined ? (
        <div class="empty">
          <p>{t.alerts.connectFirst}</p>
          <WalletButton primary />
        </div>
      ) : token === undefined ? (
        <SignIn key={`${owner} ${chain}`} owner={owner} chain={chain} />
      ) : (
        <AlertList key={token} owner={owner} chain={chain} token={token} />
      )}
    </>
  );
}

type Access = { owner: string; chain: 56 | 97 };

/** Asks for the signature that opens the wallet's alerts. */
function SignIn({ owner, chain }: Access) {
  const status = useSignal<Status>({ kind: "idle" });
  const isWorking = status.value.kind === "working";
  const run = () =>
    withStatus(status, t.alerts.signing, async () =>
      keepToken(owner, chain, await createToken(status, { owner, chainId: chain })),
    );
  return (
    <div class="empty">
      <p>{t.alerts.signInNote}</p>
      <WithWallet chain={chain} status={status}>
        <button type="button" class="button is-primary" disabled={isWorking} onClick={() => void run()}>
          {t.alerts.signIn}
        </button>
      </WithWallet>
      <StatusLine status={status.value} chain={chain} />
    </div>
  );
}

function AlertList({ owner, chain, token }: Access & { token: string }) {
  const manager = useMemo(() => manage(token), [token]);
  const resource = useResource(`alerts ${token}`, () =>
    manager.list().catch((error: unknown) => {
      // It has expired, or newer ones have taken its place.
      if (error instanceof LaunchpadError && error.status === 401) keepToken(owner, chain, undefined);
      throw error;
    }),
  );
  useReloadEvery(reloadMs, resource);
  const alerts = resource.data.value?.alerts;
  const mints = [...new Set(alerts?.flatMap(({ rule }) => mintsOf(rule)))].sort().slice(0, 100);
  const names = useNames(mints, chain);
  if (alerts === undefined) return <Pending of={resource} />;
  if (alerts.length === 0) {
    return (
      <div class="empty">
        <h2>{t.alerts.none}</h2>
        <p>{t.alerts.noneHint}</p>
      </div>
    );
  }
  return (
    <ul class="alerts">
      {alerts.map((alert) => (
        <AlertEntry key={alert.id} alert={alert} names={names} manager={manager} reload={resource.reload} />
      ))}
    </ul>
  );
}

/** The names of tokens, as far as they are listed. */
function useNames(mints: string[], chain: 56 | 97): Names {
  const wanted = mints.join(",");
  const { data } = useResource(`alert tokens ${chain} ${wanted}`, async () => {
    if (wanted === "") return [];
    const query = { mint: wanted, chainId: chain, fields: "mint,name,symbol", limit: 100 };
    return (await dataOf(api.GET("/api/tokens", { params: { query } }))).tokens;
  });
  return new Map(data.value?.map((token) => [token.mint ?? "", token]));
}
