import { useEffect, useRef } from "preact/hooks";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";
import { Problem, useRetry } from "../parts/problem.tsx";
import type { Board } from "./board.ts";
import { BoardCard } from "./card.tsx";
import type { Column } from "./columns.ts";
import { FilterButton } from "./filter-form.tsx";
import { countConditions } from "./filters.ts";

type BoardColumnProps = { board: Board; column: Column; perRow: number };

/** A column of the board. While the pointer, or the focus of a keyboard, is in it, nothing moves in it. */
export function BoardColumn({ board, column, perRow }: BoardColumnProps) {
  const { name } = column;
  const place = useRef({ isPointerInside: false, isFocusInside: false });
  const { mints, waiting } = board.column(name).value;
  // Rows are not signals.
  void board.version.value;
  const error = board.error(name).value;
  const filter = board.filters.value[name];
  const retry = () => void board.retry(column);
  useRetry(mints && error, retry);
  const isPaused = place.current.isPointerInside || place.current.isFocusInside;

  const note = (changes: Partial<typeof place.current>) => {
    Object.assign(place.current, changes);
    board.pause(name, place.current.isPointerInside || place.current.isFocusInside);
  };
  useEffect(() => () => board.pause(name, false), [board, name]);

  return (
    <section class="board-column" aria-labelledby={`board-${name}`}>
      <header class="board-head">
        <h2 id={`board-${name}`}>{t.board.columns[name]}</h2>
        <span class={`badge is-warning board-paused ${isPaused ? "" : "is-off"}`} aria-hidden={!isPaused}>
          <Icon name="pause" />
          {waiting > 0 ? t.board.waiting(waiting) : t.board.paused}
        </span>
        <FilterButton board={board} column={column} />
      </header>
      <div
        class="board-list"
        aria-busy={mints === undefined}
        onPointerEnter={() => note({ isPointerInside: true })}
        onPointerLeave={() => note({ isPointerInside: false })}
        onFocusCapture={(event) =>
          note({ isFocusInside: event.target instanceof Element && event.target.matches(":focus-visible") })
        }
        onBlurCapture={() => note({ isFocusInside: false })}
      >
        {error !== undefined && mints === undefined ? (
          <Problem error={error} retry={retry} />
        ) : mints?.length === 0 ? (
          <p class="board-empty muted">
            {countConditions(filter) > 0 ? t.board.noneMeetsFilter : t.board.empty[name]}
          </p>
        ) : (
          <Cards board={board} mints={mints} perRow={perRow} />
        )}
      </div>
    </section>
  );
}

/** The height of a card with the gap below it, in rem, as in board.css. */
const cardHeight = 8;
const skeletons = [0, 1, 2, 3, 4, 5] as const;

/** Cards move by transforms, which shift no layout. */
function Cards({
  board,
  mints,
  perRow,
}: {
  board: Board;
  mints: readonly string[] | undefined;
  perRow: number;
}) {
  const count = mints?.length ?? skeletons.length;
  const style = (at: number) => ({
    width: `${100 / perRow}%`,
    transform: `translate(${100 * (at % perRow)}%, ${cardHeight * Math.floor(at / perRow)}rem)`,
  });
  return (
    <ul class="board-cards" style={{ height: `${cardHeight * Math.ceil(count / perRow)}rem` }}>
      {mints === undefined
        ? skeletons.map((at) => (
            <li key={at} style={style(at)}>
              <div class="board-card is-waiting" />
            </li>
          ))
        : mints.map((mint, at) => {
            const row = board.row(mint);
            return (
              row !== undefined && (
                <li key={mint} style={style(at)}>
                  <BoardCard row={row} />
                </li>
              )
            );
          })}
    </ul>
  );
}
