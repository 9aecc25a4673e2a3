import { Bell } from "../alerts/bell.tsx";
import { chainId, coin } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { useReloadAfter, useReloadEvery, useResource } from "../data/resource.ts";
import { useStream } from "../data/use-stream.ts";
import { formatCount } from "../format/number.ts";
import { shortAddress } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Fact } from "../parts/fact.tsx";
import { Identicon } from "../parts/identicon.tsx";
import { chainExplorer, ExternalLink } from "../parts/links.tsx";
import { PageSkeleton } from "../parts/problem.tsx";
import { Star } from "../parts/star-button.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Age } from "../parts/time.tsx";
import { withChain } from "../routing/router.ts";
import { hasAlerts, PageProblem, Title } from "../shell/page-head.tsx";
import { account as wallet } from "../wallet/connection.ts";
import { CreatedTokens, Holdings, Positions, Trades } from "./lists.tsx";
import { Result } from "./result.tsx";
import { ResultsByDay } from "./results-by-day.tsx";
import { Transfers } from "./transfers.tsx";
import "./account.css";

const readAccount = (address: string) =>
  dataOf(
    api.GET("/api/account/{address}", {
      params: { path: { address }, query: { chainId: chainId.peek(), limit: 50 } },
    }),
  );

export type Account = Awaited<ReturnType<typeof readAccount>>;

/** The account is read again at most this often while it trades. */
const minIntervalMs = 1_500;
/** Its tokens' prices change with the trades of others, too. */
const reloadMs = 15_000;

/** An account's holdings, results, trades, transfers and created tokens. */
export default function AccountPage({ address }: { address: string }) {
  const resource = useResource(`account ${address} ${chainId.value ?? ""}`, () => readAccount(address));
  const reloadSoon = useReloadAfter(minIntervalMs, [resource]);
  useReloadEvery(reloadMs, resource);
  useStream(
    { trader: address },
    { onEvent: reloadSoon, onGap: (isBrief) => isBrief || void resource.reload() },
  );
  const account = resource.data.value;
  if (account === undefined) {
    const error = resource.error.value;
    return error === undefined ? (
      <PageSkeleton />
    ) : (
      <PageProblem error={error} retry={() => void resource.reload()} />
    );
  }
  const { totals, creatorRecord } = account;
  return (
    <>
      <Title>{t.account.title(shortAddress(address))}</Title>
      <header class="account-header">
        <Identicon address={address} />
        <h1>
          {address === wallet.value ? t.account.yours : t.common.account} <code>{shortAddress(address)}</code>
        </h1>
        <Star address={address} kind="account" name={shortAddress(address)} />
        <Bell
          target={{ kind: "account", address }}
          chain={account.chainId as 56 | 97}
          name={shortAddress(address)}
        />
        <CopyButton text={address} label={t.account.copyAddress} />
        <ExternalLink href={chainExplorer(account.chainId, "address", address)}>BscScan</ExternalLink>
        {hasAlerts && address === wallet.value && <a href={withChain("/alerts")}>{t.common.alerts}</a>}
        {account.firstSeenAt !== null && (
          <span class="muted">{t.account.firstSeen(<Age time={account.firstSeenAt} isSentence />)}</span>
        )}
      </header>
      <Totals account={account} />
      {totals.sells > 0 && <ResultsByDay address={address} />}
      <section class="panel" aria-label={t.account.section}>
        <Tabs
          label={t.account.section}
          tabs={[
            {
              name: "holdings",
              label: t.account.tabs.holdings,
              count: totals.holdings,
              render: () => <Holdings account={account} />,
            },
            {
              name: "results",
              label: t.account.tabs.results,
              count: totals.positions,
              render: () => <Positions account={account} />,
            },
            {
              name: "trades",
              label: t.common.trades,
              count: totals.buys + totals.sells,
              render: () => <Trades account={account} />,
            },
            {
              name: "transfers",
              label: t.common.transfers,
              render: () => <Transfers address={address} />,
            },
            {
              name: "created",
              label: t.account.tabs.created,
              count: creatorRecord.tokensCreated,
              render: () => <CreatedTokens account={account} />,
            },
          ]}
        />
      </section>
    </>
  );
}

function Totals({ account }: { account: Account }) {
  const { totals, creatorRecord } = account;
  return (
    <dl class="totals">
      <Fact name={t.account.holdingsAtPrices}>
        <Amount bnb={totals.valueBnb} usd={totals.valueUsd} />
      </Fact>
      <Fact name={t.account.holdingsIfSold} title={t.account.afterImpact}>
        <Amount bnb={totals.exitBnb} usd={totals.exitUsd} />
      </Fact>
      <Fact name={t.common.realised}>
        <Result bnb={totals.realisedBnb} usd={totals.realisedUsd} />
      </Fact>
      <Fact name={t.account.unrealisedIfSold}>
        <Result bnb={totals.unrealisedAtExitBnb} usd={totals.unrealisedAtExitUsd} />
      </Fact>
      <Fact name={t.account.balance(coin.value)}>
        <Amount bnb={account.nativeBalanceBnb} usd={account.nativeBalanceUsd} />
      </Fact>
      <Fact name={t.account.tokensCreated} class="small">
        {creatorRecord.tokensCreated === 0
          ? t.account.none
          : t.account.createdAndGraduated(
              formatCount(creatorRecord.tokensCreated),
              formatCount(creatorRecord.tokensGraduated),
            )}
      </Fact>
    </dl>
  );
}
