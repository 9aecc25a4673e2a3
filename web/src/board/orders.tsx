import { coin } from "../data/chain.ts";
import { displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";
import { ConfirmLoss } from "../parts/loss.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { tokenPath, withChain } from "../routing/routes.ts";
import { lookAlikeText } from "../token/risk-notes.ts";
import { StatusLine } from "../wallet/status-line.tsx";
import { confirmOrder, dismiss, orders, type QuickOrder } from "./quick-buy.ts";

/** The latest quick buys, each with what it is waiting for or how it ended. */
export function Orders() {
  return (
    <section class="orders" aria-label={t.board.quickBuys}>
      {orders.value.map((order) => (
        <Order key={order.id} order={order} />
      ))}
    </section>
  );
}

function Order({ order }: { order: QuickOrder }) {
  const { row, status, loss, lookAlike, amount } = order;
  const isWorking = status.value.kind === "working";
  return (
    <article class="order panel">
      <div class="order-head">
        <TokenImage token={row} size={24} />
        <a href={withChain(tokenPath(row.mint))}>
          <bdi>{displaySymbol(row.symbol)}</bdi>
        </a>
        <span class="muted">{t.board.orderFor(`${amount} ${coin.value}`)}</span>
        {!isWorking && (
          <button
            type="button"
            class="icon-button"
            aria-label={t.board.dismiss(displaySymbol(row.symbol))}
            onClick={() => dismiss(order)}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      <StatusLine status={status.value} chain={row.chainId} />
      {lookAlike.value !== undefined && (
        <div class="loss">
          <p role="alert">{lookAlikeText(lookAlike.value)}</p>
          <button type="button" class="button is-danger is-wide" onClick={() => confirmOrder(order)}>
            {t.board.buyAnyway}
          </button>
          <button type="button" class="button is-wide" onClick={() => dismiss(order)}>
            {t.common.cancel}
          </button>
        </div>
      )}
      {loss.value !== undefined && (
        <ConfirmLoss
          loss={loss.value}
          action="buy"
          isReady
          onConfirm={() => confirmOrder(order)}
          onCancel={() => dismiss(order)}
        />
      )}
    </article>
  );
}
