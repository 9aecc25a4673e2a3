import { useEffect, useMemo, useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { eventKinds, LaunchpadError } from "../data/client.ts";
import { useReloadAfter } from "../data/resource.ts";
import { useStream } from "../data/use-stream.ts";
import { formatNumber } from "../format/number.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { asUsd, isInUsd } from "../parts/amount.tsx";
import { useMedia } from "../parts/hooks.ts";
import { PageSkeleton } from "../parts/problem.tsx";
import { parameter } from "../routing/router.ts";
import { PageProblem, Title } from "../shell/page-head.tsx";
import { About } from "./about.tsx";
import { Chart } from "./chart.tsx";
import {
  type Changes,
  createTradeList,
  createTransferList,
  type Events,
  type Lists,
  type TokenDetails,
  useCurve,
  useToken,
} from "./data.ts";
import { CurveState, Facts } from "./facts.tsx";
import { TokenHeader } from "./header.tsx";
import { RiskPanel } from "./risk.tsx";
import { TokenTabs } from "./tabs.tsx";
import { hasRoom, Trade } from "./trade.tsx";
import "./token.css";
import "./panels.css";
import "./holders.css";

/** The token's data are reloaded at most this often while events arrive. */
const minIntervalMs = 1_500;

export default function TokenPage({ mint }: { mint: string }) {
  const isWide = useMedia(hasRoom);
  const token = useToken(mint);
  const curve = useCurve(mint);
  const [trades, transfers] = useMemo(() => [createTradeList(mint), createTransferList(mint)], [mint]);
  const [changes] = useState<Changes>(() => new Set());
  const [events] = useState<Events>(() => new Set());
  const [lists] = useState<Lists>(() => new Set());

  useEffect(() => {
    // The first tab's data need not wait for the token's.
    if (parameter("tab") === undefined) trades.open();
  }, [trades]);
  const reload = async () => {
    for (const change of changes) change();
    await Promise.all([token.reload(), curve.reload()]);
  };
  const reloadSoon = useReloadAfter(minIntervalMs, [{ reload }]);
  useStream(
    // Transfers change who holds the token, and liquidity how much of it can be sold. They come only if they are asked for.
    { mint, kind: eventKinds },
    {
      onEvent(event) {
        for (const list of [trades, transfers, ...lists]) list.note(event);
        for (const take of events) take(event);
        reloadSoon();
      },
      onGap(isBrief) {
        for (const list of [trades, transfers, ...lists]) void list.reload();
        if (!isBrief) void reload();
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
      <PageProblem error={error} retry={() => void token.reload()} />
    );
  }
  const about = (
    <>
      <CurveState token={shown} curve={curve.data.value} />
      <RiskPanel token={shown} />
      <About token={shown} reload={token.reload} />
    </>
  );
  return (
    <>
      {/* For whoever has a tab for each token, of which the tab shows how it begins. */}
      <Title>{`${displaySymbol(shown.symbol)} ${marketCapText(shown)} · ${displayName(shown.name)}`}</Title>
      <div class="token">
        <div class="token-chart">
          <TokenHeader token={shown} />
          <Facts token={shown} />
          <Chart token={shown} changes={changes} events={events} />
        </div>
        <aside class="token-side" aria-label={t.token.side}>
          <Trade key={`${shown.mint} ${shown.chainId}`} token={shown} events={events} />
          {isWide && about}
        </aside>
        <TokenTabs
          token={shown}
          changes={changes}
          trades={trades}
          transfers={transfers}
          lists={lists}
          about={isWide ? undefined : about}
        />
      </div>
    </>
  );
}

/** A market cap as {@link Amount} shows it: a title is only text. */
const marketCapText = ({ marketCapBnb, marketCapUsd }: TokenDetails) =>
  isInUsd(marketCapUsd) ? asUsd(marketCapUsd) : `${formatNumber(marketCapBnb)} ${coin.value}`;

function Unknown({ mint }: { mint: string }) {
  return (
    <div class="empty">
      <Title>{t.token.unknown}</Title>
      <h1>{t.token.notOurs}</h1>
      <p>{t.token.notOursText(<code>{mint}</code>)}</p>
    </div>
  );
}
