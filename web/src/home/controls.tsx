import { listView } from "../data/settings.ts";
import { plainText } from "../format/plain-text.ts";
import { t } from "../language/messages.ts";
import { Choices } from "../parts/choices.tsx";
import { Icon } from "../parts/icons.tsx";
import { Count } from "./list.tsx";
import { newTokenCount, reloadView } from "./updates.ts";
import { boards, clearSearch, show, sorts, view, windows } from "./view.ts";

const views = [
  { value: "cards", icon: "cards" },
  { value: "table", icon: "rows" },
] as const;

/** Chooses which tokens are shown, in which order, and in which form. */
export function Controls() {
  const { board, sort, window, q, verified } = view.value;
  const byChange = sort === "gainers" || sort === "losers";
  return (
    <div class="controls">
      {q !== "" && (
        <button type="button" class="chip" aria-label={t.home.endSearch(plainText(q))} onClick={clearSearch}>
          <bdi>{plainText(q, 24)}</bdi>
          <Icon name="close" />
        </button>
      )}
      <Choices
        label={t.home.board}
        value={board}
        choices={boards.map((name) => ({ value: name, label: t.home.boards[name] }))}
        onChange={(value) => show({ board: value })}
      />
      {board !== "watchlist" && (
        <>
          <label class="select">
            <span class="visually-hidden">{t.home.order}</span>
            <select value={sort} onChange={(event) => show({ sort: event.currentTarget.value })}>
              {sorts.map((name) => (
                <option key={name} value={name}>
                  {t.home.sorts[name]}
                </option>
              ))}
            </select>
          </label>
          {byChange && (
            <Choices
              label={t.common.time}
              value={window}
              choices={windows.map((name) => ({ value: name, label: t.home.windows[name] }))}
              onChange={(value) => show({ window: value })}
            />
          )}
          <label class="check">
            <input
              type="checkbox"
              checked={verified}
              onChange={(event) => show({ verified: event.currentTarget.checked ? "true" : undefined })}
            />
            {t.home.verified}
          </label>
        </>
      )}
      <span class="controls-end">
        {newTokenCount.value > 0 && (
          <button type="button" class="chip" onClick={() => void reloadView()}>
            {t.home.showNew(newTokenCount.value)}
          </button>
        )}
        <Count />
        <Choices
          label={t.home.view}
          value={listView.value}
          choices={views.map((one) => ({ ...one, label: t.home.views[one.value] }))}
          onChange={(value) => {
            listView.value = value;
          }}
        />
      </span>
    </div>
  );
}
