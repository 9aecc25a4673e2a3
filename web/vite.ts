import { fileURLToPath } from "node:url";
import type { InlineConfig } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));

/** The folder of the built explorer. */
export const outDir = fileURLToPath(new URL("dist", import.meta.url));

/** The build's configuration. It is not in a config file because Vite would write a compiled copy of that beside it. */
export const config: InlineConfig = {
  root,
  configFile: false,
  envFile: false,
  logLevel: "warn",
  publicDir: false,
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
