import { formatNumber, fromUnits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { AccountLink } from "../parts/address.tsx";
import { TransactionLink } from "../parts/external-link.tsx";
import { Pending } from "../parts/pending.tsx";
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
    <div class="scroll-x">
      <table class="rows">
        <caption class="visually-hidden">{t.token.liquidityNewestFirst}</caption>
        <thead>
          <tr>
            <th scope="col">{t.common.age}</th>
            <th scope="col">{t.token.change}</th>
            <th scope="col">BNB</th>
            <th scope="col">{t.common.tokens}</th>
            <th scope="col" class="is-extra">
              {t.token.bnbAfter}
            </th>
            <th scope="col">{t.token.byWhom}</th>
            <th scope="col">
              <span class="visually-hidden">{t.common.transaction}</span>
            </th>
          </tr>
        </thead>
        <tbody>
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
                  {change.provider === token.launchpadAddress && (
                    <span class="badge">{t.token.launchpad}</span>
                  )}
                </span>
              </td>
              <td>
                <TransactionLink chainId={change.chainId} tx={change.tx} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!shown.isComplete && <p class="muted">{t.token.olderInApi}</p>}
    </div>
  );
}
