import { formatNumber, fromUnits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { AccountLink, TransactionLink } from "../parts/links.tsx";
import { Pending } from "../parts/problem.tsx";
import { Rows } from "../parts/rows.tsx";
import { Age } from "../parts/time.tsx";
import { type TokenDetails, useLiquidity } from "./data.ts";

/** The liquidity that was added to the token's DEX pair and removed from it. The chart reads it again as events arrive. */
export default function Liquidity({ token }: { token: TokenDetails }) {
  const liquidity = useLiquidity(token);
  const shown = liquidity.data.value;
  if (!token.graduated) {
    return <p class="tab-empty muted">{t.token.noLiquidity}</p>;
  }
  if (shown === undefined) {
    return <Pending error={liquidity.error.value} retry={() => void liquidity.reload()} />;
  }
  return (
    <>
      <Rows
        caption={t.token.liquidityNewestFirst}
        columns={[
          t.common.age,
          t.token.change,
          "BNB",
          t.common.tokens,
          { name: t.token.bnbAfter, isExtra: true },
          t.token.byWhom,
          { name: t.common.transaction, isNameHidden: true },
        ]}
      >
        {shown.changes.map((change) => (
          <tr key={change.id}>
            <td class="muted">
              <Age time={change.timestamp} />
            </td>
            <td class={change.kind === "add" ? "up" : "down"}>
              {change.kind === "add" ? t.token.added : t.token.removed}
            </td>
            <td class="number">{formatNumber(change.amountBnb)}</td>
            <td class="number">{formatNumber(fromUnits(change.tokenAmountRaw))}</td>
            <td class="number is-extra">{formatNumber(change.reservesBnb)}</td>
            <td>
              <span class="account-cell">
                <AccountLink address={change.provider} />
                {change.provider === token.launchpadAddress && <span class="badge">{t.token.launchpad}</span>}
              </span>
            </td>
            <td>
              <TransactionLink chainId={change.chainId} tx={change.tx} />
            </td>
          </tr>
        ))}
      </Rows>
      {!shown.isComplete && <p class="muted">{t.token.olderInApi}</p>}
    </>
  );
}
