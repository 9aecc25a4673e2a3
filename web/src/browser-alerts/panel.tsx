import { useId, useRef, useState } from "preact/hooks";
import { Bell } from "../alerts/bell.tsx";
import type { Target } from "../alerts/rules.ts";
import { targetChain } from "../data/chain.ts";
import { starred, storeStarred, watchlist } from "../data/watchlist.ts";
import { displayName, shortAddress } from "../format/text.ts";
import { type Row, tokenList } from "../home/token-list.ts";
import { view } from "../home/view.ts";
import { t } from "../language/messages.ts";
import { Icon, IconButton } from "../parts/icons.tsx";
import { Identicon } from "../parts/identicon.tsx";
import { AccountLink } from "../parts/links.tsx";
import { Age } from "../parts/time.tsx";
import { withChain } from "../routing/router.ts";
import { hasAlerts } from "../shell/page-head.tsx";
import { alertKey } from "./alert.ts";
import { alertPath, alertWords, browserAlerts, changeAlerts } from "./alerts.ts";
import { fromFile, maxFileBytes, merge, toFile } from "./file.ts";
import { alertSound, beep, NotificationState } from "./notification.tsx";
import "./browser-alerts.css";

/** What the watchlist has besides tokens: accounts, and the alerts of this browser. */
export default function WatchlistPanel() {
  return (
    <>
      <WatchedAccounts />
      <div class="watchlist-tools">
        <NewAlert />
        <FileButtons />
      </div>
      <AlertList />
      {tokenList(view.value).total.value === 0 && (
        <div class="empty">
          <h2>{t.alerts.emptyWatchlist}</h2>
          <p>{t.alerts.emptyWatchlistHint}</p>
        </div>
      )}
    </>
  );
}

/** The accounts on the watchlist, and the way to the alerts of the visitor's wallet. */
function WatchedAccounts() {
  const accounts = watchlist("account");
  if (accounts.length === 0 && !hasAlerts) return null;
  return (
    <nav class="watched" aria-label={t.alerts.watchedAccounts}>
      {accounts.map((address) => (
        <AccountLink key={address} address={address}>
          <Identicon address={address} /> {shortAddress(address)}
        </AccountLink>
      ))}
      {hasAlerts && (
        <a class="address" href={withChain("/alerts")}>
          <Icon name="bell" /> {t.common.alerts}
        </a>
      )}
    </nav>
  );
}

/** The choice of a starred token or account, and the bell that sets an alert about it. */
function NewAlert() {
  const [chosen, choose] = useState("");
  const list = tokenList(view.value);
  const tokens = Array.from({ length: list.total.value ?? 0 }, (_, index) => list.row(index));
  const choices = [
    ...tokens.filter((row) => row !== undefined).map(tokenChoice),
    ...watchlist("account").map(accountChoice),
  ];
  const choice = choices.find(({ address }) => address === chosen) ?? choices[0];
  if (choice === undefined) return null;
  return (
    <>
      <label class="select">
        <span>{t.alerts.about}</span>{" "}
        <select value={choice.address} onChange={(event) => choose(event.currentTarget.value)}>
          {choices.map(({ address, name }) => (
            <option key={address} value={address}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Bell key={choice.address} target={choice.target} chain={targetChain()} name={choice.name} />
    </>
  );
}

type Choice = { address: string; name: string; target: Target };

const tokenChoice = ({ mint, name, graduated, ...now }: Row): Choice => ({
  address: mint,
  name: displayName(name),
  target: {
    kind: "token",
    mint,
    graduated,
    now: {
      priceBnb: now.priceBnb,
      priceUsd: now.priceUsd,
      marketCapBnb: now.marketCapBnb,
      marketCapUsd: now.marketCapUsd,
      progress: now.progress,
      holders: now.holderCount,
    },
  },
});

const accountChoice = (address: string): Choice => ({
  address,
  name: shortAddress(address),
  target: { kind: "account", address },
});

function AlertList() {
  const titleId = useId();
  const alerts = browserAlerts.value;
  if (alerts.length === 0) return null;
  return (
    <section class="browser-alerts" aria-labelledby={titleId}>
      <div class="watchlist-tools">
        <h2 id={titleId}>{t.alerts.inBrowser}</h2>
        <NotificationState />
        <label class="check">
          <input
            type="checkbox"
            checked={alertSound.value === "on"}
            onChange={(event) => {
              alertSound.value = event.currentTarget.checked ? "on" : "off";
              beep();
            }}
          />
          {t.alerts.sound}
        </label>
      </div>
      <ul>
        {alerts.map((alert) => {
          const key = alertKey(alert);
          const [name, words] = [displayName(alert.name), alertWords(alert)];
          return (
            <li key={key}>
              <a href={alertPath(alert)}>
                <bdi>{name}</bdi>
              </a>
              <span>{words}</span>
              <span class="muted">
                {alert.firedAt === undefined
                  ? t.alerts.waits
                  : t.alerts.fired(<Age time={new Date(alert.firedAt).toISOString()} isSentence />)}
              </span>
              <IconButton
                icon="close"
                label={t.alerts.remove(name, words)}
                onClick={() => changeAlerts((all) => all.filter((other) => alertKey(other) !== key))}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Saves watchlist and alerts as a file, and adds those of such a file. */
function FileButtons() {
  const input = useRef<HTMLInputElement>(null);
  const [result, setResult] = useState("");
  const current = () => ({ watchlist: starred.value, alerts: browserAlerts.value });
  const save = () => {
    const url = URL.createObjectURL(new Blob([toFile(current())], { type: "application/json" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: "watchlist.json" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url));
  };
  const read = async (file: File) => {
    const contents = file.size > maxFileBytes ? undefined : fromFile(await file.text());
    if (contents === undefined) return setResult(t.alerts.badFile);
    const merged = merge(current(), contents);
    storeStarred(merged.watchlist);
    changeAlerts(() => merged.alerts);
    setResult(t.alerts.imported(merged.stars, merged.added));
  };
  return (
    <>
      <button type="button" class="button" onClick={save}>
        {t.alerts.exportFile}
      </button>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        {t.alerts.importFile}
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file !== undefined) void read(file);
          // So that the same file can be chosen again.
          event.currentTarget.value = "";
        }}
      />
      <span role="status">{result}</span>
    </>
  );
}
