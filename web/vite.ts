import { fileURLToPath } from "node:url";
import type { InlineConfig, Plugin } from "vite";

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

/** The build's configuration. It is not in a config file because Vite would write a compiled copy of that beside it. */
export const config: InlineConfig = {
  root,
  configFile: false,
  envFile: false,
  logLevel: "warn",
  publicDir: false,
  plugins: [splitCatalogues],
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
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
