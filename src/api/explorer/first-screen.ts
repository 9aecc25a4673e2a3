import { createContext, Script } from "node:vm";
import type { Context, Hono } from "hono";
import { ignore, within } from "../../../config/async.ts";
import { requestService } from "./card/card-routes.ts";
import { homeList } from "./page-head.ts";

/** The home page as its code draws it in a language, and that language's variety for `lang`. */
type Drawn = { html: string; locale: string };

/** Draws an answer of the list. */
type Draw = (answer: string) => Drawn;

/**
 * The page in one language: what draws it, the last answer of the list, and what was drawn of it. Undefined is what its code has failed
 * at.
 */
type Page = {
  draw: Draw | undefined;
  last?: { etag: string; answer: string; at: number; drawn: Drawn | undefined };
};

type FirstScreenDeps = {
  /** The service itself, whose public API provides the list. */
  service: () => Hono;
  /** The content of the page's meta tags, by name. */
  meta: Record<string, string>;
};

/** Whoever waits longer for the list gets a page without it, whose code reads it. */
const maxWaitMs = 500;

/** The ages of tokens go on without a change of the list. */
const maxAgeMs = 5_000;

/**
 * The returned function draws the home page with its first tokens, by the page's own code, so that a browser shows them before it has
 * that code. It asks for the list each time, and draws it when it has changed, so nothing is shown longer than the API shows it.
 * Resolves to undefined where there is no list, or where the code fails: then the page's code in the browser says why.
 *
 * @param code web/src/server/home.tsx as built
 */
export function createFirstScreen({ service, meta }: FirstScreenDeps) {
  let script: Script | undefined;
  let builtFrom: string | undefined;
  const pages = new Map<string, Page>();

  function pageIn(language: string, code: string): Page {
    if (builtFrom !== code) {
      pages.clear();
      script = undefined;
      builtFrom = code;
    }
    const page = pages.get(language) ?? { draw: attempt(() => start(code, language)) };
    pages.set(language, page);
    return page;
  }

  /** Runs the code where it finds as much of a browser as it needs to draw. */
  function start(code: string, language: string): Draw {
    script ??= new Script(code, { filename: "web/dist/.vite/home.js" });
    const browser = createContext({
      URL,
      location: new URL("http://localhost/"),
      matchMedia: () => ({ matches: false }),
      navigator: { languages: [language], onLine: true },
      screen: { height: 800 },
      setInterval: ignore,
      window: { addEventListener: ignore },
      document: {
        querySelector(selector: string) {
          const content = meta[/^meta\[name="([\w-]+)"\]$/.exec(selector)?.[1] ?? ""];
          return content === undefined ? null : { content };
        },
      },
    });
    script.runInContext(browser);
    return browser.home.draw;
  }

  async function drawList(c: Context, page: Page): Promise<Drawn | undefined> {
    const { draw, last } = page;
    if (draw === undefined) return undefined;
    const headers = last === undefined ? {} : { "If-None-Match": last.etag };
    const response = await requestService(service(), c, homeList, { headers });
    const isSame = last !== undefined && response.status === 304;
    if (!isSame && !response.ok) return undefined;
    if (isSame && Date.now() - last.at < maxAgeMs) return last.drawn;
    const etag = response.headers.get("ETag") ?? "";
    // Another request may have drawn it meanwhile.
    if (!isSame && page.last?.etag === etag) return page.last.drawn;
    const answer = isSame ? last.answer : await response.text();
    const drawn = attempt(() => draw(answer));
    page.last = { etag, answer, at: Date.now(), drawn };
    return drawn;
  }

  return async (c: Context, language: string, code: string): Promise<Drawn | undefined> =>
    await within(maxWaitMs, drawList(c, pageIn(language, code)));
}

/** Runs the page's code. Reports an error, and returns undefined then. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    console.error("explorer: the home page could not be drawn:", error);
    return undefined;
  }
}
