import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../browser/explorer.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient } from "../service/rest-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* The explorer's pages and static files as the service delivers them. */

let service: SharedService["service"];

beforeAll(async () => {
  ensureBuilt();
  ({ service } = await sharedService());
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, service.indexer.url), { headers, redirect: "manual" });
const address = `0x${"Ab".repeat(20)}`;

test.each([
  "/",
  "/?q=otter",
  "/board",
  "/create",
  "/leaderboard",
  "/stats",
  `/token/${address}`,
  `/account/${address}`,
])("%s is a page that may load only from its own origin", async (path) => {
  const response = await get(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=UTF-8");
  expect(response.headers.get("cache-control")).toBe("no-cache");
  const policy = Object.fromEntries(
    (response.headers.get("content-security-policy") ?? "")
      .split("; ")
      .map((directive) => [directive.split(" ")[0], directive.split(" ").slice(1).join(" ")]),
  );
  expect(policy).toEqual({
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
  });
  // The page contains no inline code.
  const page = await response.text();
  expect(page).not.toMatch(/<script(?![^>]* src="\/assets\/)/);
  expect(page).not.toContain("<style");
  // Names of tokens, which other files may have created, are escaped in texts and in attributes' values.
  const tags = (page.match(/<[a-z](?:[^">]|"[^"]*")*>/gi) ?? []).map((tag) =>
    tag.replaceAll(/"[^"]*"/g, '""'),
  );
  expect(tags).toContain('<html lang="">');
  expect(tags.filter((tag) => /\son\w+=/i.test(tag))).toEqual([]);
});

test("the home page leads programs to the introduction for language models", async () => {
  const page = await (await get("/")).text();
  const [, href = ""] = /<link rel="alternate" type="text\/plain"[^>]* href="([^"]+)"/.exec(page) ?? [];
  const introduction = await get(href);
  expect([introduction.status, introduction.headers.get("content-type")]).toEqual([
    200,
    expect.stringMatching(/^text\/plain/),
  ]);
});

test("all that the page's styles name is served, the font too", async () => {
  const page = await (await get("/")).text();
  const [, href = ""] = /<link rel="stylesheet"[^>]* href="([^"]+)"/.exec(page) ?? [];
  const named = [...(await (await get(href)).text()).matchAll(/url\("?([^")]+)"?\)/g)].map(
    ([, path]) => path,
  );
  expect(named).toContainEqual(expect.stringMatching(/\.woff2$/));
  for (const path of named) {
    const file = await get(new URL(path ?? "", new URL(href, service.indexer.url)).pathname);
    expect([path, file.status, file.headers.get("cache-control")]).toEqual([
      path,
      200,
      expect.stringContaining("immutable"),
    ]);
  }
});

test.each([
  ...["/token/0x12", "/token", `/account/${address}0`, "/assets/missing.js", "/assets/..%2findex.html"],
  // Names that every JavaScript object has.
  ...["__proto__", "constructor", "toString", "hasOwnProperty"].flatMap((name) => [
    `/assets/${name}`,
    `/docs/assets/5.35.0/${name}`,
    `/graphql/assets/3.7.2/${name}`,
  ]),
])("%s is not found", async (path) => {
  const response = await get(path);
  expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
});

test("a wrong address answers a browser with a page, and a program with a problem", async () => {
  const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const policy = (await get("/")).headers.get("content-security-policy");
  for (const path of ["/pump", "/token/0x12", "/token", `/account/${address}0`]) {
    const page = await get(path, browser);
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=UTF-8"]);
    expect(page.headers.get("content-security-policy")).toBe(policy);
    expect(await page.text()).toContain("<title>Not found · Launchpad</title>");
    expect((await get(path)).headers.get("content-type")).toBe("application/problem+json");
  }
  for (const path of [
    "/api/pump",
    `/api/token/${address}`,
    "/assets/missing.js",
    "/pump.json",
    "/mcp/pump",
  ]) {
    const answer = await get(path, browser);
    expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
      path,
      404,
      "application/problem+json",
    ]);
  }
});

test("there is an icon where programs look for it, and a manifest for home screens", async () => {
  const icon = await get("/favicon.ico");
  expect(icon.status).toBe(302);
  const location = icon.headers.get("location") ?? "";
  expect((await get(location)).headers.get("content-type")).toContain("image/svg+xml");
  const page = await (await get("/")).text();
  const [, href = ""] = /<link rel="manifest" href="([^"]+)"/.exec(page) ?? [];
  const manifest = await get(href);
  expect(manifest.headers.get("content-type")).toBe("application/manifest+json");
  expect(await manifest.json()).toMatchObject({ start_url: "/", icons: [{ src: location }] });
});

test("robots.txt leads crawlers to a sitemap, whose every link is a page", async () => {
  const { chain } = await sharedService();
  const [creator] = chain.traders;
  const mint = await chain.create(creator, "Mapped Otter", "MAPPED");
  await service.indexer.untilIndexed(56, await chain.head());
  const rest = await createRestClient(service.indexer.url);
  await rest.post("/api/tokens", registrationOf(mint, creator, { name: "Mapped Otter", symbol: "MAPPED" }));
  const [, url = ""] = /^Sitemap: (.+)$/m.exec(await (await get("/robots.txt")).text()) ?? [];
  const answer = await get(new URL(url).pathname);
  expect(answer.headers.get("content-type")).toBe("application/xml");
  const links = [...(await answer.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, link = ""]) => new URL(link),
  );
  const paths = links.map(({ pathname }) => pathname);
  expect(paths).toEqual(expect.arrayContaining(["/", "/board", `/token/${mint.toLowerCase()}`]));
  expect(new Set(paths).size).toBe(paths.length);
  for (const path of paths.slice(0, 10)) {
    expect([path, (await get(path, { accept: "text/html" })).status]).toEqual([path, 200]);
  }
});

test("files carry a content hash in their names, are compressed, and may be cached forever", async () => {
  const page = await (await get("/")).text();
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file ?? "");
  expect(files.map((file) => file.split(".").at(-1)).sort()).toEqual([
    "css",
    "js",
    "js",
    "js",
    "svg",
    "woff2",
  ]);
  for (const file of files) {
    expect(file).toMatch(/-[\w-]{8}\.\w+$/);
    const [plain, gzip, brotli] = await Promise.all(
      ["identity", "gzip", "br"].map((encoding) => get(file, { "accept-encoding": encoding })),
    );
    const text = await plain?.text();
    expect(await gzip?.text()).toBe(text);
    expect(await brotli?.text()).toBe(text);
    expect([plain, gzip, brotli].map((response) => response?.headers.get("content-encoding"))).toEqual([
      null,
      "gzip",
      "br",
    ]);
    expect(brotli?.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  }
});

test("home and board preload a list only if their address asks for no other", async () => {
  for (const [path, isPreloaded] of [
    ["/", true],
    ["/?lang=zh", true],
    ["/?board=new", false],
    ["/board", true],
    ["/board?column=graduated", false],
  ] as const) {
    expect((await (await get(path)).text()).includes('rel="preload" as="fetch"'), path).toBe(isPreloaded);
  }
});

/** The tokens that a page shows before its code runs. */
const drawnTokens = (page: string) =>
  [...page.matchAll(/<a class="cover" href="\/token\/(0x[0-9a-f]{40})">/g)].map(([, mint]) => mint);

test("the home page comes with its first tokens, in the visitor's language", async () => {
  const { chain } = await sharedService();
  const [creator] = chain.traders;
  const mint = await chain.create(creator, "Drawn Otter", "DRAWN");
  await service.indexer.untilIndexed(56, await chain.head());
  const rest = await createRestClient(service.indexer.url);
  await rest.post("/api/tokens", registrationOf(mint, creator, { name: "Drawn Otter", symbol: "DRAWN" }));
  for (const [language, locale, word] of [
    ["en", "en-GB", "Market cap"],
    ["zh-CN", "zh-CN", "市值"],
  ] as const) {
    let page = "";
    // Busy, the service leaves the list to the page's code; and other tests change it.
    await expect
      .poll(
        async () => {
          page = await (await get("/", { "accept-language": language })).text();
          const drawn = drawnTokens(page);
          const listed = await rest.mints("sort=trending");
          return drawn.length > 0 && String(drawn) === String(listed.slice(0, drawn.length));
        },
        { timeout: 100_000 },
      )
      .toBe(true);
    expect(page).toContain(`<html lang="${locale}">`);
    expect(page).toContain(word);
    // The Content-Security-Policy would refuse styles.
    expect(page).not.toContain("style=");
  }
  for (const path of ["/?board=new", "/?q=drawn", "/?chain=56", "/board"]) {
    expect([path, drawnTokens(await (await get(path)).text())]).toEqual([path, []]);
  }
});

test("the home page is compressed for who accepts it", async () => {
  const answers = await Promise.all(
    ["identity", "gzip", "br"].map((encoding) => get("/?lang=en", { "accept-encoding": encoding })),
  );
  expect(answers.map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "gzip", "br"]);
  for (const answer of answers) expect(await answer.text()).toContain("</html>");
});

test.each([
  ["zh-TW,zh;q=0.9,en;q=0.8", "zh"],
  ["fr,zh-CN;q=0.5", "zh"],
  ["en-US,zh;q=0.5", "en"],
  ["en;q=0.5, ZH-cn;q=0.8, fr", "zh"],
  ["zh;q=0, fr", "en"],
  ["fr", "en"],
  [undefined, "en"],
])("a browser that asks for %s fetches the texts of %s along with the code", async (languages, picked) => {
  const answer = await get("/", languages === undefined ? {} : { "accept-language": languages });
  expect(answer.headers.get("vary")).toContain("Accept-Language");
  const preloads = [...(await answer.text()).matchAll(/<link rel="modulepreload" href="([^"]+)"/g)];
  expect(preloads.map(([, href]) => href)).toEqual([
    expect.stringMatching(`^/assets/${picked}-[\\w-]{8}\\.js$`),
  ]);
  expect((await get(preloads[0]?.[1] ?? "")).headers.get("content-type")).toContain("javascript");
});

test("the code, styles and texts of a page are fetched along with the code that asks for them", async () => {
  const chinese = { "accept-language": "zh-CN" };
  for (const [path, styles, texts] of [
    ["/board", true, 3],
    [`/token/${address}`, true, 3],
    ["/stats", false, 2],
  ] as const) {
    const page = await (await get(path, chinese)).text();
    const preloads = [...page.matchAll(/<link rel="(?:module)?preload"[^>]* href="(\/assets\/[^"]+)"/g)].map(
      ([, href = ""]) => href,
    );
    expect(preloads.filter((href) => /\/page-[\w-]+\.js$/.test(href))).toHaveLength(1);
    expect(preloads.some((href) => href.endsWith(".css"))).toBe(styles);
    expect(preloads.filter((href) => href.includes("/zh-"))).toHaveLength(texts);
    expect(new Set(preloads).size).toBe(preloads.length);
    for (const href of preloads) expect((await get(href)).status, href).toBe(200);
  }
});

test("a token's page has link-preview tags for the token, with its creator's words escaped", async () => {
  const { chain } = await sharedService();
  const mint = await chain.create(chain.traders[0], `"><script>x</script>`, "CARD");
  await service.indexer.untilIndexed(56, await chain.head());
  const page = await (await get(`/token/${mint}`)).text();
  expect(page).toContain("<title>&quot;&gt;&lt;script&gt;x&lt;/script&gt; (CARD) · Launchpad</title>");
  expect(page).toContain(
    '<meta property="og:title" content="&quot;&gt;&lt;script&gt;x&lt;/script&gt; (CARD)" />',
  );
});

test("shared links have a card image, for the launchpad and for each token", async () => {
  const { chain } = await sharedService();
  const names = [
    ["Brave Otter", "OTTER"],
    ["</text>\u202e<script>", "\u0000&\u200b"],
  ];
  const mints: string[] = [];
  for (const [name, symbol] of names) mints.push(await chain.create(chain.traders[0], name, symbol));
  await service.indexer.untilIndexed(56, await chain.head());
  const pictures: string[] = [];
  for (const path of ["/card.png", ...mints.map((mint) => `/token/${mint.toLowerCase()}/card.png`)]) {
    const response = await get(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(response.headers.get("cache-control")).toBe("public, max-age=60");
    const png = Buffer.from(await response.arrayBuffer());
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630]);
    pictures.push(png.toString("base64"));
    const page = await (await get(path.replace("/card.png", "") || "/")).text();
    expect(page).toMatch(new RegExp(`<meta property="og:image" content="http://[^"/]+${path}" />`));
  }
  expect(new Set(pictures).size).toBe(3);
  // In Chinese where the link or the client asks for it.
  const chinese = { "accept-language": "zh-CN,zh;q=0.9" };
  const card = `/token/${mints[0]?.toLowerCase()}/card.png`;
  const drawn = await Promise.all(
    [get(`${card}?lang=zh`), get(card, chinese), get(`${card}?lang=en`, chinese)].map(async (answer) =>
      Buffer.from(await (await answer).arrayBuffer()).toString("base64"),
    ),
  );
  expect(drawn).toEqual([drawn[0], drawn[0], pictures[1]]);
  expect(drawn[0]).not.toBe(pictures[1]);
  const preview = await (await get(card.replace("/card.png", "?lang=zh"))).text();
  expect(preview).toMatch(
    new RegExp(`<meta property="og:image" content="http://[^"/]+${card}\\?lang=zh" />`),
  );
  expect(preview).toContain("内盘进度");

  const none = await get(`/token/${address}/card.png`);
  expect([none.status, ((await none.json()) as { code: string }).code]).toEqual([404, "token_not_found"]);
  expect((await get("/card.png?chain=97")).status).toBe(404);
});
