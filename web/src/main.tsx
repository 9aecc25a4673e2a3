import { render } from "preact";
import { watchHealth } from "./data/chain.ts";
import { applyTheme } from "./data/settings.ts";
import { t } from "./language/messages.ts";
import { startRouter } from "./routing/router.ts";
import { App } from "./shell/app.tsx";
import { startWallets } from "./wallet/connection.ts";

document.documentElement.lang = t.locale;
applyTheme();
startRouter();
watchHealth();
startWallets();

const place = document.getElementById("app");
if (place !== null) render(<App />, place);
