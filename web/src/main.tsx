import { render } from "preact";
import { watchHealth } from "./data/chain.ts";
import { applyTheme } from "./data/settings.ts";
import { readFirstTokens } from "./home/list.tsx";
import { readTexts, t } from "./language/messages.ts";
import { firstPaint } from "./parts/first-paint.ts";
import { route, startRouter } from "./routing/router.ts";
import { App } from "./shell/app.tsx";
import { startWallets } from "./wallet/connection.ts";

applyTheme();
startRouter();
void start();

async function start(): Promise<void> {
  try {
    await Promise.all([readTexts(["core"]), route.peek().page === "home" && readFirstTokens()]);
  } catch (error) {
    // As with any code that could not be loaded, only a new page requests it again.
    window.addEventListener("online", () => location.reload());
    throw error;
  }
  document.documentElement.lang = t.locale;
  const place = document.getElementById("app");
  if (place !== null) render(<App />, place);
  await firstPaint();
  watchHealth();
  startWallets();
}
