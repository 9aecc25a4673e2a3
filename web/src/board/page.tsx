import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { chainId, coin } from "../data/chain.ts";
import { slippage } from "../data/settings.ts";
import { useStream } from "../data/use-stream.ts";
import { t } from "../language/messages.ts";
import { Choices } from "../parts/choices.tsx";
import { useMedia } from "../parts/hooks.ts";
import { Tabs } from "../parts/tabs.tsx";
import { Title } from "../shell/page-head.tsx";
import { type Board, boardKinds, createBoard } from "./board.ts";
import { BoardColumn } from "./column.tsx";
import { type Column, columns } from "./columns.ts";
import { Orders, quickAmount, quickAmounts, showBoard, validQuickAmount } from "./quick-buy.tsx";
import "./board.css";

/** From these widths on, the columns are side by side, and two cards of the only column. As in board.css. */
const hasColumns = "(min-width: 62rem)";
const hasTwoPerRow = "(min-width: 40rem)";
/** From this width on, each of the three columns has room for two cards side by side. */
const hasTwoPerColumn = "(min-width: 144rem)";

/** New, graduating and graduated tokens as they change, each with a button that buys. */
export default function BoardPage() {
  const chain = chainId.value;
  const board = useMemo(createBoard, [chain]);
  const isWide = useMedia(hasColumns);
  const isMiddling = useMedia(hasTwoPerRow);
  const isLarge = useMedia(hasTwoPerColumn);
  useEffect(() => {
    void board.reload();
    showBoard(true);
    return () => {
      showBoard(false);
      board.end();
    };
  }, [board]);
  useStream(
    { kind: boardKinds },
    {
      onEvent: (event) => board.note(event),
      onGap: (isBrief) => void (isBrief ? board.reloadNew() : board.reload()),
    },
  );
  return (
    <div class="board">
      <Title>{t.shell.board}</Title>
      <div class="board-top">
        <h1>{t.shell.board}</h1>
        <QuickBuySettings />
      </div>
      {isWide ? (
        <div class="board-columns">
          {columns.map((column) => (
            <BoardColumn key={column.name} board={board} column={column} perRow={isLarge ? 2 : 1} />
          ))}
        </div>
      ) : (
        <ColumnTabs board={board} perRow={isMiddling ? 2 : 1} />
      )}
      <Orders />
    </div>
  );
}

/** On a narrow screen: one column at a time. */
function ColumnTabs({ board, perRow }: { board: Board; perRow: number }) {
  const tabOf = (column: Column) => ({
    name: column.name,
    label: t.board.tabs[column.name],
    render: () => <BoardColumn key={column.name} board={board} column={column} perRow={perRow} />,
  });
  const [first, ...others] = columns;
  return (
    <Tabs
      label={t.board.columnsLabel}
      by="column"
      class="board-tabs"
      tabs={[tabOf(first), ...others.map(tabOf)]}
    />
  );
}

const usualSlippages = ["0.5", "1", "3", "10"];

/** What every quick buy pays, and how much less than quoted it may bring. */
function QuickBuySettings() {
  const [typed, setTyped] = useState<string>();
  /** The amount before one typed: what isn't a number at the end must not leave its beginning. */
  const previousAmount = useRef(quickAmount.peek());
  const amount = quickAmount.value;
  const isWrong = typed !== undefined && validQuickAmount(typed) === undefined;
  const slippages = [...new Set([...usualSlippages, slippage.value])];
  return (
    <div class="quick-settings">
      <span class="muted">{t.board.quickBuy}</span>
      <Choices
        label={t.board.quickBuy}
        value={amount}
        choices={quickAmounts.map((value) => ({ value: value as string, label: value }))}
        onChange={(value) => {
          setTyped(undefined);
          quickAmount.value = value;
        }}
      />
      <label class={`own-value quick-own ${isWrong ? "is-wrong" : ""}`}>
        <span class="visually-hidden">{t.board.quickAmount(coin.value)}</span>
        <input
          inputMode="decimal"
          autocomplete="off"
          value={typed ?? amount}
          aria-invalid={isWrong}
          onFocus={() => {
            previousAmount.current = quickAmount.peek();
          }}
          onInput={(event) => {
            const text = event.currentTarget.value;
            setTyped(text);
            quickAmount.value = validQuickAmount(text) ?? previousAmount.current;
          }}
          onBlur={() => setTyped(undefined)}
        />
        {coin}
      </label>
      <label class="select">
        <span class="muted">{t.board.slippage}</span>{" "}
        <select
          value={slippage.value}
          onChange={(event) => {
            slippage.value = event.currentTarget.value;
          }}
        >
          {slippages.map((value) => (
            <option key={value} value={value}>
              {value}%
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
