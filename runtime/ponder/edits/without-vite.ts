import type { Edit } from "./edit.ts";

const instead = JSON.stringify(new URL("../without-vite.ts", import.meta.url).href);
const packages = [
  "vite",
  "vite-node/client",
  "vite-node/server",
  "vite-node/source-map",
  "vite-tsconfig-paths",
];

/** Makes Node itself run our files. Not in development, where edits cause reloads. */
export const withoutVite: Edit[] = packages.map((name) => ({
  file: "ponder/dist/esm/build/index.js",
  from: `from "${name}";`,
  to: `from ${instead};`,
}));
