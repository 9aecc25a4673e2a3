import { effect, type Signal, signal } from "@preact/signals";
import { chainName, coin } from "../data/chain.ts";
import { client } from "../data/client.ts";
import { slippage } from "../data/settings.ts";
import { readStored, writeStored } from "../data/storage.ts";
import { formatNumber, fromUnits, parseAmount } from "../format/number.ts";
import { displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { IconButton } from "../parts/icons.tsx";
import { Confirm, ConfirmLoss, type Loss } from "../parts/loss.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { tokenPath, withChain } from "../routing/router.ts";
import type { TokenDetails } from "../token/data.ts";
import { tradeLoss } from "../token/quote-lines.tsx";
import { lookAlikeText } from "../token/risk-notes.tsx";
import { outcomeText, sendTrade } from "../token/send-trade.ts";
import { explainQuote, hasTooLittle, type Quote, readQuote } from "../token/use-quote.ts";
import { askOwner } from "../wallet/ask-owner.ts";
import { account, walletChain } from "../wallet/connection.ts";
import { createStatus, type StatusSignal } from "../wallet/run-steps.ts";
import { StatusLine } from "../wallet/status-line.tsx";
import { switchChain } from "../wallet/switch-chain.tsx";
import { chooseWallet } from "../wallet/wallet-button.tsx";
import type { Row } from "./row.ts";

export const quickAmounts = ["0.001", "0.005", "0.01"] as const;

const storageKey = "quick-buy";

/** A typed amount of BNB, as it is stored and shown; undefined if it isn't more than zero. */
export function validQuickAmount(text: string): string | undefined {
  const { units } = parseAmount(text);
  return units === undefined || units === 0n ? undefined : fromUnits(units);
}

/** BNB that a quick buy pays. */
export const quickAmount = signal(validQuickAmount(readStored(storageKey) ?? "") ?? "0.005");
effect(() => writeStored(storageKey, quickAmount.value));

/** A quick buy, from the click until its outcome has been read. */
type QuickOrder = {
  id: number;
  row: Row;
  amount: string;
  status: StatusSignal;
  /** What has to be confirmed first, one at a time. */
  question: Signal<Doubts>;
  /** What has been confirmed. */
  accepted: Doubts;
};

/** What a buy would lose to its own price impact, and the token that the bought one looks like. */
type Doubts = { loss?: Loss; lookAlike?: NonNullable<TokenDetails["lookAlike"]> };

/** The latest quick buys, newest first. */
const orders = signal<readonly QuickOrder[]>([]);

const maxOrders = 4;
let lastId = 0;
/** Whether the board is on the screen: nobody expects a prompt of the wallet after leaving it. */
let isBoardShown = false;

export function showBoard(isShown: boolean): void {
  isBoardShown = isShown;
}

export const isBuying = (mint: string): boolean =>
  orders.value.some(({ row, status }) => row.mint === mint && status.value.kind === "working");

function dismiss(order: QuickOrder): void {
  orders.value = orders.peek().filter((other) => other !== order);
}

/** Buys a token for the preset amount: the click is the order, and the wallet's signature confirms it. */
export function quickBuy(row: Row): void {
  if (account.peek() === undefined) {
    chooseWallet();
    return;
  }
  if (isBuying(row.mint)) return;
  const last = orders.peek().find((other) => other.row.mint === row.mint);
  const order = {
    id: ++lastId,
    row,
    amount: quickAmount.peek(),
    // The last one's still tells of what the wallet sends after the visitor has stopped waiting for it.
    status: last?.status ?? createStatus(),
    question: signal({}),
    accepted: {},
  };
  const others = orders.peek().filter((other) => other.row.mint !== row.mint);
  // Those that are under way stay on the screen.
  const kept = others.filter((other, at) => at < maxOrders - 1 || other.status.peek().kind === "working");
  orders.value = [order, ...kept];
  void run(order);
}

/** Goes on with an order whose loss, or whose likeness to another token, has been accepted. */
function confirmOrder(order: QuickOrder): void {
  Object.assign(order.accepted, order.question.peek());
  order.question.value = {};
  void run(order);
}

/** A confirmation holds while the loss doesn't grow by more than a hundredth. */
const maxGrowth = 1.01;

async function run(order: QuickOrder): Promise<void> {
  const { row, status, question, accepted } = order;
  const { mint } = row;
  const owner = account.peek();
  const chainId = row.chainId as 56 | 97;
  const { units } = parseAmount(order.amount);
  if (units === undefined || status.peek().kind === "working") return;
  const fail = (text: string) => {
    status.value = { kind: "failed", text };
  };
  if (owner === undefined) return fail(t.transaction.notConnected);
  const slippagePercent = slippage.peek();
  let quote: Quote;
  let lookAlike: Doubts["lookAlike"] | null;
  try {
    if (walletChain.peek() !== chainId) {
      status.value = { kind: "working", text: t.transaction.switchTo(chainName(chainId)) };
      await askOwner(status, () => switchChain(chainId));
    }
    status.value = { kind: "working", text: t.trade.askingPrice };
    [quote, { lookAlike }] = await Promise.all([
      readQuote({ mint, chainId, side: "buy", units, slippage: slippagePercent, owner }),
      client.token(mint, { chainId, fields: "lookAlike" }),
    ]);
  } catch (error) {
    return fail(explainQuote(error, coin.peek()));
  }
  if (!isBoardShown) return fail(t.board.leftBoard);
  if (hasTooLittle(quote)) return fail(t.trade.tooLittle(coin.peek()));
  if (lookAlike && lookAlike.mint !== accepted.lookAlike?.mint) {
    status.value = { kind: "idle" };
    question.value = { lookAlike };
    return;
  }
  // Against the price on the card, so that a price that has run away needs a second click as well.
  const loss = tradeLoss(quote, row);
  if (loss && !(loss.bnb <= (accepted.loss?.bnb ?? 0) * maxGrowth)) {
    status.value = { kind: "idle" };
    question.value = { loss };
    return;
  }
  const sent = await sendTrade(status, {
    quote,
    order: {
      mint,
      chainId,
      side: "buy",
      amountIn: units,
      account: owner,
      slippagePercent: Number(slippagePercent),
    },
    isShown: () => isBoardShown,
  });
  if (sent) status.value = { kind: "done", text: outcomeText(sent, "buy", row), hash: sent.transactionHash };
  else if (status.peek().kind === "working") fail(t.board.leftBoard);
}

/** The text of a button that buys. */
export const quickBuyLabel = (amount: string) => `${formatNumber(amount, 4)} ${coin.value}`;

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
  const { row, status, question, amount } = order;
  const { loss, lookAlike } = question.value;
  const isWorking = status.value.kind === "working";
  const answers = {
    isReady: !isWorking,
    onConfirm: () => confirmOrder(order),
    onCancel: () => dismiss(order),
  };
  return (
    <article class="order panel">
      <div class="order-head">
        <TokenImage token={row} size={24} />
        <a href={withChain(tokenPath(row.mint))}>
          <bdi>{displaySymbol(row.symbol)}</bdi>
        </a>
        <span class="muted">{t.board.orderFor(`${amount} ${coin.value}`)}</span>
        {!isWorking && (
          <IconButton
            icon="close"
            label={t.board.dismiss(displaySymbol(row.symbol))}
            onClick={() => dismiss(order)}
          />
        )}
      </div>
      <StatusLine status={status.value} chain={row.chainId} />
      {lookAlike && (
        <Confirm label={t.board.buyAnyway} {...answers}>
          {lookAlikeText(lookAlike)}
        </Confirm>
      )}
      {loss && <ConfirmLoss loss={loss} action="buy" {...answers} />}
    </article>
  );
}
