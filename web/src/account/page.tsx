import { chainId } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { useResource } from "../data/resource.ts";
import { formatCount } from "../format/number.ts";
import { shortAddress } from "../format/text.ts";
import { Amount } from "../parts/amount.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { chainExplorer, ExternalLink } from "../parts/external-link.tsx";
import { PageSkeleton } from "../parts/pending.tsx";
import { Problem } from "../parts/problem.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Age } from "../parts/time.tsx";
import { Title } from "../shell/title.tsx";
import { account as wallet } from "../wallet/account.ts";
import { CreatedTokens, Holdings, Positions, Trades } from "./lists.tsx";
import { Result } from "./result.tsx";
import { Transfers } from "./transfers.tsx";
import "./account.css";

const readAccount = (address: string) =>
  dataOf(
    api.GET("/api/account/{address}", {
      params: { path: { address }, query: { chainId: chainId.peek(), limit: 50 } },
    }),
  );

export type Account = Awaited<ReturnType<typeof readAccount>>;

/** An account's holdings, results, trades, transfers and created tokens. */
export default function AccountPage({ address }: { address: string }) {
  const resource = useResource(`account ${address} ${chainId.value ?? ""}`, () => readAccount(address));
  const account = resource.data.value;
  if (account === undefined) {
    const error = resource.error.value;
    return error === undefined ? (
      <PageSkeleton />
    ) : (
      <Problem error={error} retry={() => void resource.reload()} />
    );
  }
  const { totals, creatorRecord } = account;
  return (
    <>
      <Title>{`Account ${shortAddress(address)}`}</Title>
      <header class="account-header">
        <h1>
          {address === wallet.value ? "Your account" : "Account"} <code>{shortAddress(address)}</code>
        </h1>
        <CopyButton text={address} label="Copy the account's address" />
        <ExternalLink href={chainExplorer(account.chainId, "address", address)}>BscScan</ExternalLink>
        {account.firstSeenAt !== null && (
          <span class="muted">
            first seen <Age time={account.firstSeenAt} suffix=" ago" />
          </span>
        )}
      </header>
      <Totals account={account} />
      <section class="panel" aria-label="Tokens and transactions">
        <Tabs
          label="Tokens and transactions"
          tabs={[
            {
              name: "holdings",
              label: "Holdings",
              count: totals.holdings,
              render: () => <Holdings account={account} />,
            },
            {
              name: "results",
              label: "Results",
              count: totals.positions,
              render: () => <Positions account={account} />,
            },
            {
              name: "trades",
              label: "Trades",
              count: totals.buys + totals.sells,
              render: () => <Trades account={account} />,
            },
            {
              name: "transfers",
              label: "Transfers",
              render: () => <Transfers address={address} />,
            },
            {
              name: "created",
              label: "Created",
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
      <div>
        <dt>Holdings, at current prices</dt>
        <dd>
          <Amount bnb={totals.valueBnb} usd={totals.valueUsd} />
        </dd>
      </div>
      <div>
        <dt>Holdings, if sold now</dt>
        <dd title="After price impact and fees">
          <Amount bnb={totals.exitBnb} usd={totals.exitUsd} />
        </dd>
      </div>
      <div>
        <dt>Realised</dt>
        <dd>
          <Result bnb={totals.realisedBnb} usd={totals.realisedUsd} />
        </dd>
      </div>
      <div>
        <dt>Unrealised, if sold now</dt>
        <dd>
          <Result bnb={totals.unrealisedAtExitBnb} usd={totals.unrealisedAtExitUsd} />
        </dd>
      </div>
      <div>
        <dt>BNB in the account</dt>
        <dd>
          <Amount bnb={account.nativeBalanceBnb} usd={account.nativeBalanceUsd} />
        </dd>
      </div>
      <div>
        <dt>Tokens created</dt>
        <dd class="small">
          {creatorRecord.tokensCreated === 0
            ? "None"
            : `${formatCount(creatorRecord.tokensCreated)}, ${formatCount(creatorRecord.tokensGraduated)} graduated`}
        </dd>
      </div>
    </dl>
  );
}
