import { render } from "preact";
import { watchHealth } from "./data/chain.ts";
import { applyTheme } from "./data/settings.ts";
import { startRouter } from "./routing/router.ts";
import { App } from "./shell/app.tsx";

applyTheme();
startRouter();
watchHealth();

const place = document.getElementById("app");
if (place !== null) render(<App />, place);
