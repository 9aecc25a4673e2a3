import { options } from "preact";
import { renderToString } from "preact-render-to-string";
import { tokenList } from "../home/token-list.ts";
import { view } from "../home/view.ts";
import { language, type Messages, t } from "../language/messages.ts";
import { hasPainted } from "../parts/first-paint.ts";
import { now } from "../parts/time.tsx";
import { App } from "../shell/app.tsx";

/*
 * The home page as the server draws it, by the same code as the browser, which then takes it over. web/vite.ts makes one script of it;
 * the server runs that once for each language, where a few things look like a browser that has opened the page (src/api/explorer).
 */

const texts = import.meta.glob<Partial<Messages>>("../language/catalogues/*.ts", {
  query: "?core",
  import: "core",
  eager: true,
});
Object.assign(t, texts[`../language/catalogues/${language}.ts`]);

// The Content-Security-Policy refuses styles in HTML. The page's code sets them.
const { vnode: prepare } = options;
options.vnode = (vnode) => {
  if (typeof vnode.type === "string") Reflect.deleteProperty(vnode.props, "style");
  prepare?.(vnode);
};

// As the browser draws it when it takes it over.
hasPainted.value = true;

/** Draws the page with the first tokens, as the API has answered them. */
export function draw(answer: string): { html: string; locale: string } {
  now.value = Date.now();
  tokenList(view.value).fill(JSON.parse(answer));
  return { html: renderToString(<App />), locale: t.locale };
}
