import { useEffect, useMemo, useRef } from "preact/hooks";
import { LaunchpadError } from "../data/client.ts";
import { useStream } from "../data/use-stream.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { Problem } from "../parts/problem.tsx";
import { PageSkeleton } from "../parts/skeleton.tsx";
import { Title } from "../shell/title.tsx";
import { About } from "./about.tsx";
import { Chart } from "./chart.tsx";
import { CurveState } from "./curve-state.tsx";
import { readTrades, useCurve, useHolders, useLiquidity, useToken } from "./data.ts";
import { Facts } from "./facts.tsx";
import { TokenHeader } from "./header.tsx";
import { Risk } from "./risk.tsx";
import { Tabs } from "./tabs.tsx";
import { Trade } from "./trade.tsx";
import { createTradeList } from "./trade-list.ts";
import "./token.css";
import "./panels.css";
import "./holders.css";

/** The token's data are reloaded at most this often while events arrive. */
const minIntervalMs = 1_500;

export default function TokenPage({ mint }: { mint: string }) {
  const token = useToken(mint);
  const curve = useCurve(mint);
  const holders = useHolders(mint, 1);
  const liquidity = useLiquidity(mint);
  const trades = useMemo(() => createTradeList((cursor) => readTrades(mint, cursor)), [mint]);
  const chartListeners = useRef<(() => void)[]>([]);

  const reload = () => {
    for (const resource of [token, curve, holders, liquidity]) void resource.reload();
    for (const listener of chartListeners.current) listener();
  };
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    void trades.reload();
    return () => clearTimeout(timer.current);
  }, [trades]);
  useStream(
    { mint },
    {
      onEvent(event) {
        trades.note(event);
        timer.current ??= setTimeout(() => {
          timer.current = undefined;
          reload();
        }, minIntervalMs);
      },
      onGap(isBrief) {
        void trades.reload();
        if (!isBrief) reload();
      },
    },
  );

  const shown = token.data.value;
  const error = token.error.value;
  // A token that gets hidden while its page is open disappears as well.
  const isHidden = error instanceof LaunchpadError && error.status === 451;
  if (shown === undefined || isHidden) {
    if (error === undefined) return <PageSkeleton />;
    return error instanceof LaunchpadError && error.status === 404 ? (
      <Unknown mint={mint} />
    ) : (
      <Problem error={error} retry={() => void token.reload()} />
    );
  }
  return (
    <>
      <Title>{`${displayName(shown.name)} (${displaySymbol(shown.symbol)})`}</Title>
      <TokenHeader token={shown} />
      <div class="token">
        <div class="token-chart">
          <Facts token={shown} />
          <Chart token={shown} liquidity={liquidity.data.value?.changes} listeners={chartListeners.current} />
        </div>
        <aside class="token-side" aria-label="Trade, curve, risk and description">
          <Trade key={`${shown.mint} ${shown.chainId}`} token={shown} />
          <CurveState token={shown} curve={curve.data.value} />
          <Risk token={shown} />
          <About token={shown} />
        </aside>
        <Tabs token={shown} trades={trades} liquidity={liquidity} />
      </div>
    </>
  );
}

function Unknown({ mint }: { mint: string }) {
  return (
    <div class="empty">
      <Title>Unknown token</Title>
      <h1>Not a token of this launchpad</h1>
      <p>
        <code>{mint}</code> was not created by the launchpad's factory, or its block is not indexed yet. In
        that case this page works in a few seconds.
      </p>
    </div>
  );
}
