import { coin } from "../data/chain.ts";
import { formatNumber, fromUnits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { AccountLink, TransactionLink } from "../parts/links.tsx";
import { Pending } from "../parts/problem.tsx";
import { Table } from "../parts/rows.tsx";
import { Age } from "../parts/time.tsx";
import { type TokenDetails, useLiquidity } from "./data.ts";

/** The liquidity that was added to the token's DEX pair and removed from it. The chart reads it again as events arrive. */
export default function Liquidity({ token }: { token: TokenDetails }) {
  const liquidity = useLiquidity(token);
  const shown = liquidity.data.value;
  if (!token.graduated) {
    return <p class="tab-empty muted">{t.token.noLiquidity}</p>;
  }
  if (shown === undefined) return <Pending of={liquidity} />;
  return (
    <>
      <Table
        caption={t.token.liquidityNewestFirst}
        entries={shown.changes}
        getKey={({ id }) => id}
        columns={[
          { name: t.common.age, class: "muted", cell: ({ timestamp }) => <Age time={timestamp} /> },
          {
            name: t.token.change,
            class: ({ kind }) => (kind === "add" ? "up" : "down"),
            cell: ({ kind }) => (kind === "add" ? t.token.added : t.token.removed),
          },
          { name: coin.value, class: "number", cell: ({ amountBnb }) => formatNumber(amountBnb) },
          {
            name: t.common.tokens,
            class: "number",
            cell: ({ tokenAmountRaw }) => formatNumber(fromUnits(tokenAmountRaw)),
          },
          {
            name: t.token.coinAfter(coin.value),
            isExtra: true,
            class: "number",
            cell: ({ reservesBnb }) => formatNumber(reservesBnb),
          },
          {
            name: t.token.byWhom,
            cell: ({ provider }) => (
              <span class="account-cell">
                <AccountLink address={provider} />
                {provider === token.launchpadAddress && <span class="badge">{t.token.launchpad}</span>}
              </span>
            ),
          },
          { name: t.common.transaction, cell: TransactionLink, isNameHidden: true },
        ]}
      />
      {!shown.isComplete && <p class="muted">{t.token.olderInApi}</p>}
    </>
  );
}
