import type { Resource } from "../data/resource.ts";
import { formatNumber, fromUnits } from "../format/number.ts";
import { AccountLink } from "../parts/address.tsx";
import { Pending } from "../parts/pending.tsx";
import { Age } from "../parts/time.tsx";
import { TransactionLink } from "../parts/transaction-link.tsx";
import type { LiquidityChange } from "./chart-summary.ts";
import type { TokenDetails } from "./data.ts";

export type LiquidityProps = {
  token: TokenDetails;
  liquidity: Resource<{ changes: LiquidityChange[]; isComplete: boolean }>;
};

/** The liquidity that was added to the token's DEX pair and removed from it. */
export function Liquidity({ token, liquidity }: LiquidityProps) {
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
            <th scope="col">BNB after</th>
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
              <td class="number">{formatNumber(change.reservesBnb)}</td>
              <td>
                <AccountLink address={change.provider} />
                {change.provider === token.launchpadAddress && <span class="badge">launchpad</span>}
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
