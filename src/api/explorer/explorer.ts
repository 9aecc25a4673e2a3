import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Context, Hono } from "hono";
import { setPageHeaders } from "../http/common-headers.ts";
import { problemResponse } from "../http/problem.ts";
import { createBuildReader, createFileServer, type StaticFile } from "../http/static-files.ts";
import { type CardDeps, chainQuery, createCardRoutes, requestService } from "./card/card-routes.ts";
import { homeHead, type SharedToken, tokenHead } from "./page-head.ts";

export type ExplorerDeps = Omit<CardDeps, "service"> & {
  /** The local chain's node, if this is the local stack: the explorer then offers a wallet on it. */
  localRpcUrl: string | undefined;
  /** The service's public URL. */
  baseUrl: string;
  /** The service itself, whose public API provides the data for the pages' heads. */
  service: () => Hono;
};

/** What a page adds to the common head, as HTML. */
type Head = { head: string; title: string };

/** The paths of the explorer's pages, which must match web/src/routing/routes.ts. */
const address = ":address{0x[0-9a-fA-F]{40}}";
const paths = ["/create", "/leaderboard", "/stats", `/account/${address}`];

/** Serves the explorer: the page at each of its paths, and the files that it loads. */
export function createExplorer({ localRpcUrl, baseUrl, service, ...cardDeps }: ExplorerDeps): Hono {
  const explorer = new Hono();
  const built = createBuiltFiles();
  const policy = contentSecurityPolicy(localRpcUrl);
  const localHead = localRpcUrl === undefined ? "" : `<meta name="local-rpc" content="${localRpcUrl}" />`;

  async function servePage(
    c: Context,
    { head = "", title = "Launchpad" }: Partial<Head> = {},
  ): Promise<Response> {
    const files = await built();
    if (files === undefined) return notBuilt(c);
    const page = files.page
      .replace("<!--head-->", () => head + localHead)
      .replace("<title>Launchpad</title>", () => `<title>${title}</title>`);
    // The names of its files change with each build.
    setPageHeaders(c, { "Content-Security-Policy": policy, "Cache-Control": "no-cache" });
    return c.html(page);
  }

  explorer.get("/", (c) => servePage(c, { head: homeHead(c.req.query(), baseUrl) }));
  explorer.route("/", createCardRoutes({ service, ...cardDeps }));
  explorer.on("GET", paths, (c) => servePage(c));
  explorer.get(`/token/${address}`, async (c) => {
    const url = `/api/metadata/${c.req.param("address")}${chainQuery(c)}`;
    // In case of an error, the page itself says what is wrong.
    const answer = await requestService(service(), c, url);
    if (!answer.ok) return await servePage(c);
    const chain = c.req.query("chain");
    return await servePage(c, tokenHead((await answer.json()) as SharedToken, { baseUrl, chain }));
  });

  const serve = createFileServer();
  explorer.get("/assets/:name", async (c, next) => {
    const file = (await built())?.assets.get(c.req.param("name"));
    return file === undefined ? await next() : await serve(c, file);
  });
  return explorer;
}

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
  /** The page's files by name; names contain the hash of their content. */
  assets: Map<string, StaticFile>;
};

const folder = fileURLToPath(new URL("../../../web/dist", import.meta.url));

const types: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** The returned function reads the built explorer, again after each build; it resolves to undefined if there is no build. */
const createBuiltFiles = () => createBuildReader(path.join(folder, "index.html"), readBuilt);

async function readBuilt(index: string): Promise<BuiltFiles> {
  const [page, names] = await Promise.all([readFile(index, "utf8"), readdir(path.join(folder, "assets"))]);
  const assets = names.flatMap((name) => {
    const type = types[path.extname(name)];
    return type === undefined
      ? []
      : [[name, { path: path.join(folder, "assets", name), type, isCompressed: true }] as const];
  });
  return { page, assets: new Map(assets) };
}

/**
 * The Content-Security-Policy of the explorer's pages: scripts, styles, images and requests from our own origin only. `blob:` is for
 * the preview of an image that a visitor selects.
 *
 * @param rpcUrl the local chain's node; only given on the local stack
 */
function contentSecurityPolicy(rpcUrl: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    `connect-src 'self'${rpcUrl === undefined ? "" : ` ${new URL(rpcUrl).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
