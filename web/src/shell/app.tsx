import { useEffect, useRef, useState } from "preact/hooks";
import { storedAlerts } from "../browser-alerts/stored.ts";
import { chainName, freshness, isOnline, isServiceUp } from "../data/chain.ts";
import { connection } from "../data/client.ts";
import { formatSpan } from "../format/time.ts";
import { HomePage } from "../home/page.tsx";
import { chooseLanguage, language, languages, t } from "../language/messages.ts";
import { Choices } from "../parts/choices.tsx";
import { hasPainted } from "../parts/first-paint.ts";
import { lazyPage } from "../routing/lazy.tsx";
import { route, url, withChain } from "../routing/router.ts";
import { WalletDialog } from "../wallet/wallet-button.tsx";
import { Header } from "./header.tsx";
import { brand, hasAlerts, Title } from "./page-head.tsx";

const TokenPage = lazyPage<{ mint: string }>("token", () => import("../token/page.tsx"));
const BoardPage = lazyPage<object>("board", () => import("../board/page.tsx"));
const AccountPage = lazyPage<{ address: string }>("account", () => import("../account/page.tsx"));
const LeaderboardPage = lazyPage<object>("leaderboard", () => import("../leaderboard/page.tsx"));
const StatsPage = lazyPage<object>("stats", () => import("../stats/page.tsx"));
const CreatePage = lazyPage<object>("create", () => import("../create/page.tsx"));

const Nothing = () => null;

const AlertWatcher = lazyPage<object>("alerts", () => import("../browser-alerts/watcher.tsx"), Nothing);

const AlertsPage = lazyPage<object>("alerts", () => import("../alerts/page.tsx"));

function Page() {
  const shown = route.value;
  switch (shown.page) {
    case "home":
      return <HomePage />;
    case "token":
      return <TokenPage key={shown.mint} mint={shown.mint} />;
    case "board":
      return <BoardPage />;
    case "account":
      return <AccountPage key={shown.address} address={shown.address} />;
    case "create":
      return <CreatePage />;
    case "leaderboard":
      return <LeaderboardPage />;
    case "stats":
      return <StatsPage />;
    case "alerts":
      return hasAlerts ? <AlertsPage /> : <NothingPage />;
    default:
      return <NothingPage />;
  }
}

export function App() {
  const main = useRef<HTMLElement>(null);
  const { page } = route.value;
  const { pathname } = url.value;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [pathname]);
  return (
    <>
      <a class="skip" href="#main">
        {t.shell.skip}
      </a>
      <Header />
      <Banner />
      <main id="main" class={`page-${page}`} ref={main} tabIndex={-1}>
        <Page />
      </main>
      {hasPainted.value && (
        <>
          <Footer />
          <WalletDialog />
          {storedAlerts.value !== null && <AlertWatcher />}
        </>
      )}
    </>
  );
}

/** A smaller lag behind the chain's head is not worth mentioning. */
const noticeableLagSeconds = 30;

/** A line above every page that says what is wrong at the moment, if anything is. */
function Banner() {
  const text = message();
  return (
    <div class="banner-place" role="status">
      {text !== undefined && <p class="banner">{text}</p>}
    </div>
  );
}

function message(): string | undefined {
  if (!isOnline.value) return t.shell.offline;
  if (!isServiceUp.value) return t.shell.serviceDown;
  const state = freshness.value;
  if (state?.writer === "gone") return t.shell.notIndexing;
  const behind = state?.chains.find(({ lagSeconds }) => (lagSeconds ?? 0) > noticeableLagSeconds);
  if (behind !== undefined) {
    const name = chainName(behind.chainId);
    const span = formatSpan(behind.lagSeconds ?? 0);
    return behind.endpointsAnswer ? t.shell.behind(span, name) : t.shell.chainUnreachable(span, name);
  }
  return connection.value === "lost" ? t.shell.reconnecting : undefined;
}

/** The operator's links, and last those to the legal texts. */
const ownLinks = () => [
  ...brand.links,
  ...(brand.termsUrl === undefined ? [] : [{ label: t.shell.terms, url: brand.termsUrl }]),
  ...(brand.privacyUrl === undefined ? [] : [{ label: t.shell.privacy, url: brand.privacyUrl }]),
];

function Footer() {
  const [choices] = useState(languages);
  const state = connection.value === "off" ? "" : t.shell.connection[connection.value];
  const links = ownLinks();
  return (
    <footer class="footer">
      <p>{t.shell.warning}</p>
      {links.length > 0 && (
        <nav aria-label={t.shell.links(brand.name)}>
          {links.map(({ label, url }) => (
            <a key={url} href={url} rel="noopener">
              {label}
            </a>
          ))}
        </nav>
      )}
      <nav aria-label={t.shell.forBuilders}>
        <a href="/docs">REST</a>
        <a href="/graphql">GraphQL</a>
        <a href="/docs#/SQL">SQL</a>
        <a href="/skill.md">{t.shell.agents}</a>
        <a href="/api">{t.shell.manifest}</a>
        {state !== "" && (
          <span class={`live is-${connection.value}`}>
            <span aria-hidden="true" />
            {state}
          </span>
        )}
      </nav>
      <Choices label={t.shell.language} value={language} choices={choices} onChange={chooseLanguage} />
    </footer>
  );
}

function NothingPage() {
  return (
    <div class="empty">
      <Title>{t.shell.notFound}</Title>
      <h1>{t.shell.nothingHere}</h1>
      <p>
        {t.shell.misspelled((text) => (
          <a href={withChain("/")}>{text}</a>
        ))}
      </p>
    </div>
  );
}
