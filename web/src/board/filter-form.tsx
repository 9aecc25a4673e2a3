import { useRef, useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { currency } from "../data/settings.ts";
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
  return (
    <>
      <button
        type="button"
        class={`button filter-button ${count > 0 ? "is-on" : ""}`}
        aria-haspopup="dialog"
        aria-label={`Filter ${column.label}${count > 0 ? `: ${count} set` : ""}`}
        onClick={() => {
          setOpened(opened + 1);
          dialog.current?.showModal();
        }}
      >
        <Icon name="filter" />
        {count > 0 && <span class="number">{count}</span>}
      </button>
      <dialog ref={dialog} class="dialog filter-dialog" aria-labelledby={title} closedby="any">
        <h2 id={title}>Filter: {column.label}</h2>
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div class="filter-limits">
        {limits.map(({ name, label, unit }) => (
          <label key={name}>
            {label}
            <span class="field-row">
              <input
                inputMode="decimal"
                autocomplete="off"
                placeholder="any"
                value={typed[name]}
                aria-invalid={wrong.some((limit) => limit.name === name)}
                onInput={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
              />
              <span class="field-unit">
                {unit === "money" ? (used === "usd" ? "USD" : coin.value) : unit}
              </span>
            </span>
          </label>
        ))}
      </div>
      <div class="filter-switches">
        {switches.map(({ name, label }) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={checked[name]}
              onChange={(event) => setChecked({ ...checked, [name]: event.currentTarget.checked })}
            />
            {label}
          </label>
        ))}
      </div>
      <p class="down small-text" role="alert">
        {wrong.length > 0 && "Enter numbers such as 10 or 0.5, and at most 100 percent."}
      </p>
      <div class="filter-buttons">
        <button type="button" class="button" onClick={() => onDone({ ...emptyFilter })}>
          Clear
        </button>
        <button type="button" class="button" onClick={() => onDone(undefined)}>
          Cancel
        </button>
        <button type="submit" class="button is-primary" disabled={wrong.length > 0}>
          Apply
        </button>
      </div>
    </form>
  );
}
