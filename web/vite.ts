import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig, type Plugin, type Rollup } from "vite";
import { partsOf } from "./src/language/parts.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

/** The folder of the built explorer. */
export const outDir = fileURLToPath(new URL("dist", import.meta.url));

/** Makes a module of each part of the texts: `catalogues/en.ts?token` exports that part alone, and what it doesn't use is left out. */
const splitCatalogues: Plugin = {
  name: "split-catalogues",
  enforce: "pre",
  transform(code, id) {
    const part = /\/catalogues\/\w+\.ts\?(\w+)$/.exec(id)?.[1];
    if (part === undefined) return;
    return { code: code.replace(new RegExp(`^export const (?!${part}\\b)`, "gm"), "const "), map: null };
  },
};

/**
 * What a page loads besides what every page does, as paths in {@link outDir}. The server names it in the page's HTML, so that a browser
 * need not run the first code to learn of it.
 */
type PageFiles = {
  scripts: string[];
  styles: string[];
  /** By language. */
  texts: Record<string, string[]>;
};

/** Writes the {@link PageFiles} of each page into `.vite/pages.json`. */
const listPageFiles: Plugin = {
  name: "list-page-files",
  // After Vite has noted which styles belong to which code.
  enforce: "post",
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
    const chunkOf = (module: string) =>
      chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
    const languages = chunks.flatMap(
      ({ facadeModuleId }) => /\/catalogues\/(\w+)\.ts\?core$/.exec(facadeModuleId ?? "")?.[1] ?? [],
    );
    const textOf = (language: string, part: string) =>
      chunkOf(`/catalogues/${language}.ts?${part}`)?.fileName ?? [];
    const pages = Object.entries(partsOf).map(([page, parts]): [string, PageFiles] => {
      const loaded = withImports(chunkOf(`/src/${page}/page.tsx`), bundle);
      return [
        page,
        {
          scripts: loaded.map(({ fileName }) => fileName),
          styles: loaded.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]),
          texts: Object.fromEntries(
            languages.map((language) => [language, parts.flatMap((part) => textOf(language, part))]),
          ),
        },
      ];
    });
    this.emitFile({
      type: "asset",
      fileName: ".vite/pages.json",
      source: JSON.stringify(Object.fromEntries(pages)),
    });
  },
};

/** A chunk and all that it imports, without the entry, which every page loads. */
function withImports(
  chunk: Rollup.OutputChunk | undefined,
  bundle: Rollup.OutputBundle,
  chunks: Rollup.OutputChunk[] = [],
): Rollup.OutputChunk[] {
  if (chunk === undefined || chunk.isEntry || chunks.includes(chunk)) return chunks;
  chunks.push(chunk);
  for (const name of chunk.imports) {
    const imported = bundle[name];
    if (imported?.type === "chunk") withImports(imported, bundle, chunks);
  }
  return chunks;
}

/** Puts a script before the page's styles, as a file of its own: the Content-Security-Policy refuses it in the page. */
const runEarly: Plugin = {
  name: "run-early",
  async buildStart() {
    this.emitFile({ type: "asset", name: "early.js", source: await readFile(`${root}early.js`) });
  },
  transformIndexHtml: (_, { bundle = {} }) => {
    const file = Object.keys(bundle).find((name) => name.startsWith("assets/early-"));
    return [{ tag: "script", attrs: { src: `/${file}` }, injectTo: "head-prepend" }];
  },
};

/** What Vite needs for the code of pages, wherever they are drawn. */
const shared = {
  root,
  configFile: false,
  envFile: false,
  logLevel: "warn",
  publicDir: false,
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
} satisfies InlineConfig;

/** Builds the page that the server draws into `.vite/home.js`. */
const drawOnServer: Plugin = {
  name: "draw-on-server",
  async generateBundle() {
    const [built] = [await build(serverConfig)].flat();
    if (built === undefined || !("output" in built)) throw new Error("the server's page was not built");
    this.emitFile({ type: "asset", fileName: ".vite/home.js", source: built.output[0].code });
  },
};

/** One script, without the pages and dialogs that the browser loads later. */
const serverConfig: InlineConfig = {
  ...shared,
  plugins: [
    splitCatalogues,
    { name: "leave-lazy-code", resolveDynamicImport: (name) => ({ id: `lazy:${name}`, external: true }) },
  ],
  build: {
    write: false,
    target: "es2022",
    minify: false,
    lib: { entry: "src/server/home.tsx", formats: ["iife"], name: "home" },
  },
};

/** The build's configuration. It is not in a config file because Vite would write a compiled copy of that beside it. */
export const config: InlineConfig = {
  ...shared,
  plugins: [splitCatalogues, listPageFiles, runEarly, drawOnServer],
  build: {
    outDir,
    emptyOutDir: true,
    // For the sizes of pages.
    manifest: true,
    target: "es2022",
    // Nothing is inlined: every file is served from our origin, under a name with the hash of its content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
};
