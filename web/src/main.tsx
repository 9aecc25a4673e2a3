import { render } from "preact";
import { watchHealth } from "./data/chain.ts";
import { applyTheme } from "./data/settings.ts";
import { readTexts, t } from "./language/messages.ts";
import { startRouter } from "./routing/router.ts";
import { App } from "./shell/app.tsx";
import { startWallets } from "./wallet/connection.ts";

applyTheme();
startRouter();
watchHealth();
void start();

async function start(): Promise<void> {
  try {
    await readTexts(["core"]);
  } catch (error) {
    // As with any code that could not be loaded, only a new page requests it again.
    window.addEventListener("online", () => location.reload());
    throw error;
  }
  document.documentElement.lang = t.locale;
  startWallets();
  const place = document.getElementById("app");
  if (place !== null) render(<App />, place);
}
