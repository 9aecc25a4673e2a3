import { coin } from "../data/chain.ts";
import { formatPercent } from "../format/number.ts";
import { plainText } from "../format/plain-text.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Amount, Change } from "../parts/amount.tsx";
import { HolderCount, Origin } from "../parts/card-parts.tsx";
import { useFlash } from "../parts/hooks.ts";
import { VerifiedMark } from "../parts/icons.tsx";
import { memo } from "../parts/memo.ts";
import { CurveProgress } from "../parts/progress.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { tokenPath, withChain } from "../routing/router.ts";
import { ListedVerdict } from "../token/risk-notes.tsx";
import { Sparkline } from "./sparkline.tsx";
import type { Row } from "./token-list.ts";
import type { Window } from "./view.ts";

export type CardProps = { row: Row | undefined; index: number; count: number; window: Window };

/** A token as a card. The whole card links to its page; what else can be clicked lies above that link. */
export const Card = memo(function Card({ row, index, count, window }: CardProps) {
  const price = useFlash<HTMLDivElement>(row?.priceBnb);
  const place = { role: "listitem", "aria-setsize": count, "aria-posinset": index + 1 } as const;
  if (row === undefined) return <div class="card is-waiting" {...place} />;
  const day = row.windows["24h"];
  const [name, symbol] = [displayName(row.name), displaySymbol(row.symbol)];
  const description = plainText(row.description ?? "");
  return (
    <div class="card" {...place}>
      <div class="card-head">
        <TokenImage token={row} size={96} />
        <div class="card-name">
          <span class="card-title">
            <a class="cover" href={withChain(tokenPath(row.mint))}>
              <bdi>{name}</bdi>
            </a>
            {name !== symbol && <bdi class="card-symbol">{symbol}</bdi>}
            {row.verified && <VerifiedMark />}
          </span>
          <div class="card-price" ref={price}>
            <strong>
              <span class="visually-hidden">{t.common.marketCap} </span>
              <Amount bnb={row.marketCapBnb} usd={row.marketCapUsd} />
            </strong>
            <Change percent={row.windows[window].priceChangePercent} />
          </div>
          <bdi class="card-description" title={description}>
            {description}
          </bdi>
          <Origin token={row} class="card-origin" />
        </div>
      </div>
      <div class="card-state">
        {row.graduated ? (
          <>
            <span class="listed">{t.common.listed}</span>
            <span title={t.common.liquidityMeaning(coin.value)}>
              <span class="unit">{t.common.liquidity} </span>
              <Amount bnb={row.liquidityBnb} usd={row.liquidityUsd} />
            </span>
          </>
        ) : (
          <>
            <CurveProgress progress={row.progress} graduated={false} />
            <span>{t.home.sold(formatPercent(row.progress))}</span>
          </>
        )}
      </div>
      <div class="card-facts">
        <span title={t.common.volumeOfDay}>
          <span class="visually-hidden">{t.common.volumeOfDay} </span>
          <span class="unit" aria-hidden="true">
            {t.common.volumeShort}{" "}
          </span>
          <Amount bnb={day.volumeBnb} usd={day.volumeUsd} digits={3} />
        </span>
        <Sparkline windows={row.windows} />
        <HolderCount count={row.holderCount} />
        <ListedVerdict row={row} />
      </div>
    </div>
  );
});
