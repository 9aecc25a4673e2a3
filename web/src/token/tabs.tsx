import type { Resource } from "../data/resource.ts";
import { formatCount } from "../format/number.ts";
import { Choices } from "../parts/choices.tsx";
import { navigate, parameter, withParameters } from "../routing/router.ts";
import type { LiquidityChange } from "./chart-summary.ts";
import type { TokenDetails } from "./data.ts";
import { Holders } from "./holders.tsx";
import { Liquidity } from "./liquidity.tsx";
import type { TradeList } from "./trade-list.ts";
import { Trades } from "./trades.tsx";

export type TabsProps = {
  token: TokenDetails;
  trades: TradeList;
  liquidity: Resource<{ changes: LiquidityChange[]; isComplete: boolean }>;
};

const tabs = ["trades", "holders", "liquidity"] as const;

/** The token's trades, holders and liquidity. */
export function Tabs({ token, trades, liquidity }: TabsProps) {
  const shown = tabs.find((tab) => tab === parameter("tab")) ?? "trades";
  const choices = [
    { value: "trades", label: `Trades ${formatCount(token.trades)}` },
    { value: "holders", label: `Holders ${formatCount(token.holderCount)}` },
    { value: "liquidity", label: "Liquidity" },
  ] as const;
  return (
    <section class="panel token-tabs" aria-label="Trades, holders and liquidity">
      <Choices
        label="Show"
        value={shown}
        choices={choices}
        onChange={(value) =>
          navigate(withParameters({ tab: value === "trades" ? undefined : value }), { replace: true })
        }
      />
      {shown === "trades" && <Trades token={token} list={trades} />}
      {shown === "holders" && <Holders token={token} />}
      {shown === "liquidity" && <Liquidity token={token} liquidity={liquidity} />}
    </section>
  );
}
