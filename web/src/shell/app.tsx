import { useEffect, useRef } from "preact/hooks";
import { chainNames, freshness, isOnline, isServiceUp } from "../data/chain.ts";
import { connection } from "../data/client.ts";
import { formatSpan } from "../format/time.ts";
import { HomePage } from "../home/page.tsx";
import { PageSkeleton } from "../parts/pending.tsx";
import { lazyComponent } from "../routing/lazy.tsx";
import { route } from "../routing/router.ts";
import { withChain } from "../routing/routes.ts";
import { WalletDialog } from "../wallet/wallet-button.tsx";
import { Header } from "./header.tsx";
import { Title } from "./title.tsx";

const TokenPage = lazyComponent<{ mint: string }>(() => import("../token/page.tsx"), PageSkeleton);
const BoardPage = lazyComponent<object>(() => import("../board/page.tsx"), PageSkeleton);
const AccountPage = lazyComponent<{ address: string }>(() => import("../account/page.tsx"), PageSkeleton);
const LeaderboardPage = lazyComponent<object>(() => import("../leaderboard/page.tsx"), PageSkeleton);
const StatsPage = lazyComponent<object>(() => import("../stats/page.tsx"), PageSkeleton);
const CreatePage = lazyComponent<object>(() => import("../create/page.tsx"), PageSkeleton);

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
    default:
      return <NothingPage />;
  }
}

export function App() {
  const main = useRef<HTMLElement>(null);
  const { page } = route.value;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [page]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header />
      <Banner />
      <main id="main" ref={main} tabIndex={-1}>
        <Page />
      </main>
      <Footer />
      <WalletDialog />
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
  if (!isOnline.value) return "This device is offline. What you see is not updated.";
  if (!isServiceUp.value) return "The service doesn't answer at the moment. What you see may be old.";
  const state = freshness.value;
  if (state?.writer === "gone") return "Nothing is being indexed at the moment: what you see is not updated.";
  const behind = state?.chains.find(({ lagSeconds }) => (lagSeconds ?? 0) > noticeableLagSeconds);
  if (behind !== undefined) {
    const name = chainNames[behind.chainId] ?? `chain ${behind.chainId}`;
    return behind.endpointsAnswer
      ? `The index is ${formatSpan(behind.lagSeconds ?? 0)} behind ${name}, and catching up.`
      : `${name} can't be reached: what you see is ${formatSpan(behind.lagSeconds ?? 0)} old.`;
  }
  return connection.value === "lost" ? "The live connection was lost. Reconnecting…" : undefined;
}

const states = { off: "", connecting: "connecting", live: "live", lost: "reconnecting" } as const;

function Footer() {
  const state = states[connection.value];
  return (
    <footer class="footer">
      <p>Anyone can create a token, with any name. Most lose all their value. The contracts are unaudited.</p>
      <nav aria-label="For builders">
        <a href="/docs">REST</a>
        <a href="/graphql">GraphQL</a>
        <a href="/docs#/SQL">SQL</a>
        <a href="/skill.md">Agents</a>
        <a href="/api">Manifest</a>
        {state !== "" && (
          <span class={`live is-${connection.value}`}>
            <span aria-hidden="true" />
            {state}
          </span>
        )}
      </nav>
    </footer>
  );
}

function NothingPage() {
  return (
    <div class="empty">
      <Title>Not found</Title>
      <h1>There is nothing here</h1>
      <p>
        The address may be misspelled. <a href={withChain("/")}>All tokens</a> are one click away.
      </p>
    </div>
  );
}
