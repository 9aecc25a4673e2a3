import { useCallback, useEffect, useMemo } from "preact/hooks";
import { listView } from "../data/settings.ts";
import { groupDigits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Problem, useRetry } from "../parts/problem.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { Card } from "./card.tsx";
import { TableHead, TableRow } from "./table-row.tsx";
import { type TokenList, tokenList } from "./token-list.ts";
import { inView, noteRange, reloadView } from "./updates.ts";
import { view } from "./view.ts";

/**
 * Reads the first tokens of the view. Resolves when they are there, or after this time: usually the browser has them before the code
 * runs, and they show sooner if the page is not drawn without them first.
 */
export const readFirstTokens = (maxWaitMs: number) =>
  Promise.race([
    tokenList(view.peek()).ensure(0, 1),
    new Promise((resolve) => setTimeout(resolve, maxWaitMs)),
  ]);

/** The lists that the visitor has seen before. They are shown again at once, as they were then. */
const seen = new WeakSet<TokenList>();

/** The tokens of the view, as cards or in a dense table. */
export function List() {
  const shown = view.value;
  const list = tokenList(shown);
  const isTable = listView.value === "table";
  // The rows are not signals, so `render` is recreated whenever they change.
  const version = list.version.value;
  const { total, error } = list;

  const onRange = useCallback(
    (first: number, last: number) => {
      noteRange(list, first, last);
      void list.ensure(first, last);
    },
    [list],
  );
  useEffect(() => {
    inView.list = list;
    void (seen.has(list) ? reloadView() : list.ensure(0, 1));
    seen.add(list);
  }, [list]);

  // Of a list that is shown already: a page, or all that is in view, which may be old by now.
  useRetry(total.value === undefined ? undefined : error.value, () => void reloadView());

  const count = total.value ?? 12;
  const render = useMemo(() => {
    const Entry = isTable ? TableRow : Card;
    return (index: number) => (
      <Entry key={index} row={list.row(index)} index={index} count={count} window={shown.window} />
    );
  }, [list, version, isTable, count, shown.window]);

  if (error.value !== undefined && total.value === undefined) {
    return <Problem error={error.value} retry={() => void list.ensure(0, 1)} />;
  }
  if (total.value === 0) return <Nothing />;
  const shared = { count, render, onRange };
  return (
    <div aria-busy={total.value === undefined}>
      {isTable ? (
        <div class="table" role="table" aria-label={t.shell.tokens} aria-rowcount={count + 1}>
          <TableHead window={shown.window} />
          <VirtualList {...shared} class="table-body" role="rowgroup" rowHeight={3.25} />
        </div>
      ) : (
        <VirtualList {...shared} class="cards" role="list" rowHeight={12} />
      )}
    </div>
  );
}

/** The number of tokens in the list. Screen readers announce changes. */
export function Count() {
  const { total } = tokenList(view.value);
  return (
    <span class="muted" role="status">
      {total.value === undefined ? "" : t.common.tokenCount(groupDigits(total.value))}
    </span>
  );
}

function Nothing() {
  const { board, q, sort } = view.value;
  // Its panel says so.
  if (board === "watchlist") return null;
  const hint =
    q !== ""
      ? t.home.searchHint
      : sort === "gainers" || sort === "losers"
        ? t.home.noTradesHint
        : t.home.emptyBoardHint;
  return (
    <div class="empty">
      <h2>{q === "" ? t.home.nothingYet : t.home.nothingFound}</h2>
      <p>{hint}</p>
    </div>
  );
}
