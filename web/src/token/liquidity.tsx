import { formatNumber, fromUnits } from "../format/number.ts";
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
    return (
      <p class="tab-empty muted">
        There is no liquidity on the DEX yet: the launchpad adds it when the curve is sold out.
      </p>
    );
  }
  if (shown === undefined) {
    return <Pending error={liquidity.error.value} retry={() => void liquidity.reload()} />;
  }
  return (
    <div class="scroll-x">
      <table class="rows">
        <caption class="visually-hidden">Liquidity changes, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Age</th>
            <th scope="col">Change</th>
            <th scope="col">BNB</th>
            <th scope="col">Tokens</th>
            <th scope="col" class="is-extra">
              BNB after
            </th>
            <th scope="col">By</th>
            <th scope="col">
              <span class="visually-hidden">Transaction</span>
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
                {change.kind === "add" ? "Added" : "Removed"}
              </td>
              <td class="number">{formatNumber(change.amountBnb)}</td>
              <td class="number">{formatNumber(fromUnits(change.tokenAmountRaw))}</td>
              <td class="number is-extra">{formatNumber(change.reservesBnb)}</td>
              <td>
                <span class="account-cell">
                  <AccountLink address={change.provider} />
                  {change.provider === token.launchpadAddress && <span class="badge">launchpad</span>}
                </span>
              </td>
              <td>
                <TransactionLink chainId={change.chainId} tx={change.tx} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!shown.isComplete && <p class="muted">Older changes are in the API.</p>}
    </div>
  );
}
