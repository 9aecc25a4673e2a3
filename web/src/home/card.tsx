import { formatCount, formatPercent } from "../format/number.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { Amount, Change } from "../parts/amount.tsx";
import { Icon } from "../parts/icons.tsx";
import { memo } from "../parts/memo.ts";
import { CurveProgress } from "../parts/progress.tsx";
import { Age } from "../parts/time.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { useFlash } from "../parts/use-flash.ts";
import { tokenPath } from "../routing/routes.ts";
import { withChain } from "../routing/with-chain.ts";
import type { Row } from "./token-list.ts";
import type { Window } from "./view.ts";

export type CardProps = { row: Row | undefined; index: number; count: number; window: Window };

/** A token as a card. The whole card links to its page. */
export const Card = memo(function Card({ row, index, count, window }: CardProps) {
  const price = useFlash<HTMLDivElement>(row?.priceBnb);
  const place = { role: "listitem", "aria-setsize": count, "aria-posinset": index + 1 } as const;
  if (row === undefined) return <div class="card is-waiting" {...place} />;
  return (
    <div class="card" {...place}>
      <div class="card-head">
        <TokenImage token={row} size={40} />
        <div class="card-name">
          <a class="cover" href={withChain(tokenPath(row.mint))}>
            <bdi>{displayName(row.name)}</bdi>
          </a>
          <span class="card-symbol">
            <bdi>{displaySymbol(row.symbol)}</bdi>
            {row.verified && (
              <span class="verified" title="Registered by its creator">
                <Icon name="verified" />
                <span class="visually-hidden">registered by its creator</span>
              </span>
            )}
          </span>
        </div>
        <div class="card-price" ref={price}>
          <strong>
            <span class="visually-hidden">market cap </span>
            <Amount bnb={row.marketCapBnb} usd={row.marketCapUsd} />
          </strong>
          <Change percent={row.windows[window].priceChangePercent} />
        </div>
      </div>
      <CurveProgress progress={row.progress} graduated={row.graduated} />
      <div class="card-facts">
        <span class={row.graduated ? "listed" : ""}>
          {row.graduated ? "Listed" : `${formatPercent(row.progress)} sold`}
        </span>
        <span title="Volume of the last 24 hours">
          <span class="visually-hidden">24-hour volume </span>
          <span class="unit">Vol </span>
          <Amount bnb={row.windows["24h"].volumeBnb} usd={row.windows["24h"].volumeUsd} digits={3} />
        </span>
        <span title="Holders">
          <Icon name="holders" />
          <span class="visually-hidden">holders </span>
          {formatCount(row.holderCount)}
        </span>
        <span title="Created">{row.createdAt !== null && <Age time={row.createdAt} />}</span>
      </div>
    </div>
  );
});
