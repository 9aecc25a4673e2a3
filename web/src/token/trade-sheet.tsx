import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { displaySymbol } from "../format/text.ts";
import { Icon } from "../parts/icons.tsx";
import { StatusLine } from "../wallet/status-line.tsx";
import type { Side, TradeState } from "./use-trade.ts";

/** On a narrow screen: buttons that stay at the bottom, and open the trade's form from there. */
export function TradeSheet({ trade, children }: { trade: TradeState; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = (side: Side) => {
    trade.setSide(side);
    setIsOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      <section class="trade-bar" aria-label="Trade">
        {/* A trade goes on when the sheet is closed. */}
        {!isOpen && <StatusLine status={trade.status} chain={trade.chainId} />}
        <div class="trade-bar-buttons">
          <button type="button" class="button is-buy" aria-haspopup="dialog" onClick={() => open("buy")}>
            Buy
          </button>
          <button type="button" class="button is-sell" aria-haspopup="dialog" onClick={() => open("sell")}>
            Sell
          </button>
        </div>
      </section>
      <dialog
        ref={dialog}
        class="trade trade-sheet"
        aria-labelledby="trade-title"
        closedby="any"
        onClose={() => setIsOpen(false)}
      >
        <div class="trade-sheet-head">
          <h2 id="trade-title">
            Trade <bdi>{displaySymbol(trade.token.symbol)}</bdi>
          </h2>
          <form method="dialog">
            <button type="submit" class="icon-button" aria-label="Close">
              <Icon name="close" />
            </button>
          </form>
        </div>
        {children}
      </dialog>
    </>
  );
}
