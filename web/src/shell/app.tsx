import { useEffect, useRef } from "preact/hooks";
import { HomePage } from "../home/page.tsx";
import { PageSkeleton } from "../parts/skeleton.tsx";
import { lazyComponent } from "../routing/lazy.tsx";
import { route } from "../routing/router.ts";
import { Banner } from "./banner.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { NothingPage } from "./nothing.tsx";

const TokenPage = lazyComponent<{ mint: string }>(() => import("../token/page.tsx"), PageSkeleton);
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
    </>
  );
}
