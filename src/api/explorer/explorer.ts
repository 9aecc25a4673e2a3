import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Context, Hono } from "hono";
import type { BrandSettings } from "../../../config/brand.ts";
import { setPageHeaders } from "../http/common-headers.ts";
import { compressPage } from "../http/compression.ts";
import { problemResponse } from "../http/problem.ts";
import { createBuildReader, createFileServer, type StaticFile } from "../http/static-files.ts";
import { createBrand } from "./brand.ts";
import {
  type CardDeps,
  chainQuery,
  createCardRoutes,
  namedChain,
  passOn,
  requestService,
} from "./card/card-routes.ts";
import { escapeMarkup } from "./card/svg.ts";
import { acceptedLanguages, cardLanguage } from "./card/words.ts";
import { createFirstScreen } from "./first-screen.ts";
import { boardHead, homeHead, isUsualList, type SharedToken, tokenHead } from "./page-head.ts";
import { buildSitemap } from "./sitemap.ts";

export type ExplorerDeps = Omit<CardDeps, "service" | "brand"> & {
  /** The local chain's node, if this is the local stack: the explorer then offers a wallet on it. */
  localRpcUrl: string | undefined;
  /** Whether wallets can subscribe to alerts. */
  hasAlerts: boolean;
  /** The chain of addresses that name none. */
  defaultChain: number;
  /** The service's public URL. */
  baseUrl: string;
  brand: BrandSettings;
  /** The service itself, whose public API provides the data for the pages' heads. */
  service: () => Hono;
};

/** What a page adds to the common head, as HTML, and whether the server draws it. */
type Shown = { head: string; title: string; isDrawn: boolean };

/** The paths of the explorer's pages, which must match web/src/routing/router.ts. */
const address = ":address{0x[0-9a-fA-F]{40}}";
const paths = ["/create", "/leaderboard", "/stats", `/account/${address}`];
const alertPaths = ["/alerts"];

/** Paths whose answers are for programs, also if a browser asks. */
const ownedByOthers = /^\/(api|assets|docs|graphql|ipfs|mcp|sql|\.well-known)(\/|$)|\.\w+$/;

/** Serves the explorer: the page at each of its paths, and the files that it loads. */
export function createExplorer({
  localRpcUrl,
  hasAlerts,
  defaultChain,
  baseUrl,
  brand: settings,
  service,
  ...cardDeps
}: ExplorerDeps): Hono {
  const brand = createBrand(settings);
  const { name } = brand;
  const explorer = new Hono();
  const built = createBuiltFiles();
  const policy = contentSecurityPolicy(localRpcUrl);
  const meta = {
    brand: brand.shown,
    ...(localRpcUrl === undefined ? {} : { "local-rpc": localRpcUrl }),
    ...(hasAlerts ? { alerts: "on" } : {}),
    ...(defaultChain === 97 ? { testnet: "default" } : {}),
  };
  const metaTags = Object.entries(meta)
    .map(([tag, content]) => `<meta name="${tag}" content="${escapeMarkup(content)}" />`)
    .join("");
  const drawFirstScreen = createFirstScreen({ service, meta });

  async function servePage(
    c: Context,
    { head = "", title, isDrawn = false }: Partial<Shown> = {},
    status: 200 | 404 = 200,
  ): Promise<Response> {
    const files = await built();
    if (files === undefined) return notBuilt(c);
    const language = preferred(c.req.header("accept-language"), files.catalogues);
    const preload = status === 404 ? "" : preloads(c.req.path, language, files);
    const drawn = isDrawn ? await drawFirstScreen(c, language, files.home) : undefined;
    const page = files.page
      .replace("<!--head-->", () => head + metaTags + brand.head)
      // After what every page needs first.
      .replace("</head>", () => `${preload}</head>`)
      .replace('<html lang="en">', `<html lang="${drawn?.locale ?? "en"}">`)
      .replace('<div id="app"></div>', (blank) =>
        drawn === undefined ? blank : `<div id="app" data-drawn>${drawn.html}</div>`,
      )
      .replace("<title>Launchpad</title>", () => `<title>${pageTitle(name, title)}</title>`)
      .replace(/<link rel="icon"[^>]*>/, (builtIn) =>
        brand.icon === undefined
          ? builtIn
          : `<link rel="icon" type="${brand.icon.type}" href="${brand.icon.path}" />`,
      );
    // The names of its files change with each build.
    setPageHeaders(c, { "Content-Security-Policy": policy, "Cache-Control": "no-cache" });
    c.header("Vary", "Accept-Language", { append: true });
    return c.html(page, status);
  }

  // Whoever follows a wrong link in a browser gets a page. Programs get a problem, as from every other path.
  explorer.use(async (c, next) => {
    await next();
    const isPage = c.req.method === "GET" && c.req.header("accept")?.includes("text/html") === true;
    if (!isPage || c.res.status !== 404 || ownedByOthers.test(c.req.path)) return;
    c.res = await servePage(c, { title: "Not found" }, 404);
  });

  explorer.get("/", compressPage, (c) => {
    const query = c.req.query();
    const head = homeHead(query, { baseUrl, name, language: cardLanguage(c) });
    return servePage(c, { head, isDrawn: isUsualList(query) });
  });
  explorer.route("/", createCardRoutes({ service, brand: brand.card, ...cardDeps }));
  explorer.get("/board", (c) => servePage(c, { head: boardHead(c.req.query()) }));
  explorer.on("GET", hasAlerts ? [...paths, ...alertPaths] : paths, (c) => servePage(c));
  explorer.get(`/token/${address}`, async (c) => {
    const url = `/api/metadata/${c.req.param("address")}${chainQuery(c)}`;
    // In case of an error, the page itself says what is wrong.
    const answer = await requestService(service(), c, url);
    if (!answer.ok) return await servePage(c);
    const place = { baseUrl, name, chain: namedChain(c), language: cardLanguage(c) };
    return await servePage(c, tokenHead((await answer.json()) as SharedToken, place));
  });

  const serve = createFileServer();
  const readIcon = async (): Promise<Icon | undefined> => {
    if (brand.icon !== undefined) return brand.icon;
    const names = [...((await built())?.assets.keys() ?? [])];
    const icon = names.find((name) => /^icon-.*\.svg$/.test(name));
    if (icon === undefined) return undefined;
    return { path: `/assets/${icon}`, type: "image/svg+xml", sizes: "any" };
  };
  // Bookmarks and link previews ask for it without reading the page.
  explorer.get("/favicon.ico", async (c, next) => {
    const icon = await readIcon();
    return icon === undefined ? await next() : c.redirect(icon.path);
  });
  explorer.get("/manifest.webmanifest", async (c, next) => {
    const icon = await readIcon();
    if (icon === undefined) return await next();
    const headers = { "Content-Type": "application/manifest+json", "Cache-Control": "no-cache" };
    return c.body(JSON.stringify(webManifest(name, icon)), 200, headers);
  });
  explorer.get("/sitemap.xml", async (c) => {
    const sitemap = await buildSitemap(service(), c, baseUrl);
    // Crawlers would forget one that is not found; they ask again for one that is unavailable.
    if (typeof sitemap !== "string") return passOn(c, sitemap);
    return c.body(sitemap, 200, {
      "Content-Type": "application/xml",
      "Cache-Control": "public, max-age=3600",
    });
  });
  explorer.get("/assets/:name", async (c, next) => {
    const own = brand.files.get(c.req.param("name"));
    if (own !== undefined) {
      setPageHeaders(c, {
        "Cache-Control": "public, max-age=31536000, immutable",
        // A logo that is opened by itself runs nothing.
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      });
      return c.body(new Uint8Array(own.bytes), 200, { "Content-Type": own.type });
    }
    const file = (await built())?.assets.get(c.req.param("name"));
    return file === undefined ? await next() : await serve(c, file);
  });
  return explorer;
}

type Icon = { path: string; type: string; sizes: string };

const pageTitle = (name: string, title?: string) =>
  title === undefined ? escapeMarkup(name) : `${title} · ${escapeMarkup(name)}`;

/** With it, phones can keep the explorer on their home screen (W3C Web Application Manifest). */
const webManifest = (name: string, { path, type, sizes }: Icon) => ({
  name,
  short_name: name,
  start_url: "/",
  display: "standalone",
  background_color: "#0d0f13",
  theme_color: "#0d0f13",
  icons: [{ src: path, type, sizes }],
});

function notBuilt(c: Context): Response {
  return problemResponse(c, {
    status: 503,
    code: "explorer_not_built",
    title: "The explorer is not built",
    detail:
      "Run npm run web:build, which npm ci does too. GET /api lists the endpoints; GraphQL is at /graphql.",
  });
}

/** The explorer as built from web/ by `npm ci`. */
type BuiltFiles = {
  /** The page's HTML, with a comment where tags of the head are inserted. */
  page: string;
  /** The code that draws the home page on the server. */
  home: string;
  /** The page's files by name; names contain the hash of their content. */
  assets: Map<string, StaticFile>;
  /** The names of those that are fonts. */
  fonts: string[];
  /** The paths of the texts that every page loads, by language. */
  catalogues: Map<string, string>;
  /** The paths of what else a page loads, by the first part of its address. */
  pages: Map<string, PageFiles>;
};

/** As in web/vite.ts, which writes it. */
type PageFiles = { scripts: string[]; styles: string[]; texts: Record<string, string[]> };

const folder = fileURLToPath(new URL("../../../web/dist", import.meta.url));

const types: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The returned function reads the built explorer, again after each build; it resolves to undefined if there is no build. */
const createBuiltFiles = () => createBuildReader(path.join(folder, "index.html"), readBuilt);

async function readBuilt(index: string): Promise<BuiltFiles> {
  const [page, home, names, manifest, pages] = await Promise.all([
    readFile(index, "utf8"),
    readFile(path.join(folder, ".vite/home.js"), "utf8"),
    readdir(path.join(folder, "assets")),
    readFile(path.join(folder, ".vite/manifest.json"), "utf8"),
    readFile(path.join(folder, ".vite/pages.json"), "utf8"),
  ]);
  const chunks: Record<string, { file: string }> = JSON.parse(manifest);
  const catalogues = Object.entries(chunks).flatMap(([source, { file }]) => {
    const language = /^src\/language\/catalogues\/(\w+)\.ts\?core$/.exec(source)?.[1];
    return language === undefined ? [] : [[language, file] as const];
  });
  const assets = names.flatMap((name) => {
    const type = types[path.extname(name)];
    return type === undefined
      ? []
      : [[name, { path: path.join(folder, "assets", name), type, isCompressed: true }] as const];
  });
  return {
    page,
    home,
    assets: new Map(assets),
    fonts: names.filter((name) => name.endsWith(".woff2")),
    catalogues: new Map(catalogues),
    pages: new Map(Object.entries(JSON.parse(pages) as Record<string, PageFiles>)),
  };
}

/** The language that the page will pick if its visitor hasn't chosen one. */
const preferred = (header: string | undefined, catalogues: ReadonlyMap<string, string>) =>
  acceptedLanguages(header).find((one) => catalogues.has(one)) ?? "en";

/** Links to the page's texts, code and font, so that they are fetched along with what would ask for them. */
function preloads(address: string, language: string, { catalogues, pages, fonts }: BuiltFiles): string {
  const { scripts = [], styles = [], texts = {} } = pages.get(address.split("/")[1] ?? "") ?? {};
  const modules = [catalogues.get(language) ?? [], texts[language] ?? [], scripts].flat();
  return [
    ...modules.map((file) => `<link rel="modulepreload" href="/${file}" />`),
    ...styles.map((file) => `<link rel="preload" as="style" crossorigin="anonymous" href="/${file}" />`),
    // A fast connection has it in time. On a slow one it must not delay the code.
    ...fonts.map(
      (name) =>
        `<link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" fetchpriority="low" href="/assets/${name}" />`,
    ),
  ].join("");
}

/**
 * The Content-Security-Policy of the explorer's pages: scripts, styles, images, fonts and requests from our own origin only. `blob:` is for
 * the preview of an image that a visitor selects, and for the icons that wallets announce.
 *
 * @param rpcUrl the local chain's node; only given on the local stack
 */
function contentSecurityPolicy(rpcUrl: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self'${rpcUrl === undefined ? "" : ` ${new URL(rpcUrl).origin}`}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
