import { useRef, useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { currency } from "../data/settings.ts";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";
import type { Board } from "./board.ts";
import type { Column } from "./columns.ts";
import { countConditions, emptyFilter, type Filter, limits, parseLimit, switches } from "./filters.ts";

/** Opens a column's filter, and says how many conditions it has. */
export function FilterButton({ board, column }: { board: Board; column: Column }) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** The form begins anew with each opening. */
  const [opened, setOpened] = useState(0);
  const filter = board.filters.value[column.name];
  const count = countConditions(filter);
  const title = `filter-${column.name}`;
  const label = t.board.columns[column.name];
  return (
    <>
      <button
        type="button"
        class={`button filter-button ${count > 0 ? "is-on" : ""}`}
        aria-haspopup="dialog"
        aria-label={count > 0 ? t.board.filterColumnSet(label, count) : t.board.filterColumn(label)}
        onClick={() => {
          setOpened(opened + 1);
          dialog.current?.showModal();
        }}
      >
        <Icon name="filter" />
        {count > 0 && <span class="number">{count}</span>}
      </button>
      <dialog ref={dialog} class="dialog filter-dialog" aria-labelledby={title} closedby="any">
        <h2 id={title}>{t.board.filterTitle(label)}</h2>
        <FilterForm
          key={opened}
          filter={filter}
          onDone={(next) => {
            if (next !== undefined) board.setFilter(column.name, next);
            dialog.current?.close();
          }}
        />
      </dialog>
    </>
  );
}

function unitText(unit: (typeof limits)[number]["unit"], used: Filter["currency"]): string {
  if (unit === "money") return used === "usd" ? "USD" : coin.value;
  return unit === "min" ? t.board.minutes : unit;
}

type FilterFormProps = { filter: Filter; onDone: (filter: Filter | undefined) => void };

function FilterForm({ filter, onDone }: FilterFormProps) {
  const hasMoney = limits.some(({ name, unit }) => unit === "money" && filter[name] !== undefined);
  const used = hasMoney ? filter.currency : currency.peek();
  const [typed, setTyped] = useState(() =>
    Object.fromEntries(limits.map(({ name }) => [name, String(filter[name] ?? "")])),
  );
  const [checked, setChecked] = useState(() =>
    Object.fromEntries(switches.map(({ name }) => [name, filter[name] === true])),
  );
  const wrong = limits.filter(({ name, unit }) => parseLimit(typed[name] ?? "", unit) === null);
  const apply = () => {
    if (wrong.length > 0) return;
    const next: Filter = { currency: used };
    for (const { name, unit } of limits) {
      const limit = parseLimit(typed[name] ?? "", unit);
      if (limit !== undefined && limit !== null) next[name] = limit;
    }
    for (const { name } of switches) if (checked[name]) next[name] = true;
    onDone(next);
  };
  return (
    <form onSubmit={apply}>
      <div class="filter-limits">
        {limits.map(({ name, unit }) => (
          <label key={name}>
            {t.board.limits[name]}
            <span class="field-row">
              <input
                inputMode="decimal"
                autocomplete="off"
                placeholder={t.board.any}
                value={typed[name]}
                aria-invalid={wrong.some((limit) => limit.name === name)}
                onInput={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
              />
              <span class="field-unit">{unitText(unit, used)}</span>
            </span>
          </label>
        ))}
      </div>
      <div class="filter-switches">
        {switches.map(({ name }) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={checked[name]}
              onChange={(event) => setChecked({ ...checked, [name]: event.currentTarget.checked })}
            />
            {t.board.switches[name]}
          </label>
        ))}
      </div>
      <p class="down small-text" role="alert">
        {wrong.length > 0 && t.board.wrongLimit}
      </p>
      <div class="filter-buttons">
        <button type="button" class="button" onClick={() => onDone({ ...emptyFilter })}>
          {t.common.clear}
        </button>
        <button type="button" class="button" onClick={() => onDone(undefined)}>
          {t.common.cancel}
        </button>
        <button type="submit" class="button is-primary" disabled={wrong.length > 0}>
          {t.board.apply}
        </button>
      </div>
    </form>
  );
}
