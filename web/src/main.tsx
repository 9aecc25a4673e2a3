import { render } from "preact";
import { watchHealth } from "./data/chain.ts";
import { applyTheme } from "./data/settings.ts";
import { readFirstTokens } from "./home/list.tsx";
import { readTexts, t } from "./language/messages.ts";
import { firstPaint, hasPainted } from "./parts/first-paint.ts";
import { route, startRouter } from "./routing/router.ts";
import { App } from "./shell/app.tsx";
import { startWallets } from "./wallet/connection.ts";

/** A page that waits longer for its tokens shows where they will be. One that shows some already waits for them, rather. */
const blankMs = 150;
const drawnMs = 5_000;

const place = document.getElementById("app");
const { dataset } = document.documentElement;

applyTheme();
startRouter();
if (place !== null) void start(place);

/** Draws the page, or takes over what the server has drawn: the same elements, in which the code then changes what it must. */
async function start(place: HTMLElement): Promise<void> {
  // Of those who see it otherwise, web/early.js has hidden it.
  if (dataset.view === "own") place.replaceChildren();
  delete dataset.view;
  const isDrawn = place.firstElementChild !== null;
  try {
    const waitMs = isDrawn ? drawnMs : blankMs;
    await Promise.all([readTexts(["core"]), route.peek().page === "home" && readFirstTokens(waitMs)]);
  } catch (error) {
    // As with any code that could not be loaded, only a new page requests it again.
    window.addEventListener("online", () => location.reload());
    throw error;
  }
  document.documentElement.lang = t.locale;
  hasPainted.value = isDrawn;
  render(<App />, place);
  delete place.dataset.drawn;
  await firstPaint();
  watchHealth();
  startWallets();
}
