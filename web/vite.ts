import { fileURLToPath } from "node:url";
import type { InlineConfig } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));

/** Where the built explorer is. */
export const outDir = fileURLToPath(new URL("dist", import.meta.url));

/** How the explorer is built. Given to Vite in place of a file, which it would write a copy of beside itself. */
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
    target: "es2022",
    // Every file comes from our origin, under a name that has the hash of its content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
};
