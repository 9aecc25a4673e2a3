import { findPackageJSON } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Edit } from "./edit.ts";

const viem = path.dirname(findPackageJSON("viem", import.meta.url) ?? "");
const chain = (name: string) =>
  `import { ${name} } from ${JSON.stringify(pathToFileURL(path.join(viem, `_esm/chains/definitions/${name}.js`)).href)};`;

/** Edits of how Ponder starts, and starts again in development. */
export const startEdits: readonly Edit[] = [
  // Lets the API listen while no RPC endpoint answers: `runtime/ponder/serve-first.ts`. Ponder asks the chain for its last final block
  // before it opens the database, and creates its server last of all.
  {
    file: "ponder/dist/esm/build/config.js",
    from: "const finalizedBlocks = await Promise.all(chains.map((chain) => {",
    to: "const finalizedBlocks = await finalBlocks(common, chains.map((chain) => {",
    imports: { "serve-first.ts": ["finalBlocks"] },
  },
  {
    file: "ponder/dist/esm/bin/commands/start.js",
    from: "import { runMultichain } from '../../runtime/multichain.js';",
    to: `import { runMultichain as index } from '../../runtime/multichain.js';
const runMultichain = (app) => indexOnceAnswered(app, index);`,
    imports: { "serve-first.ts": ["indexOnceAnswered"] },
  },

  // What takes half a second of each start and has no use for this service: all 700 chains, to find the configured ones, and Ponder's
  // GraphQL server. Ours is in src/api/graphql.
  {
    file: "ponder/dist/esm/utils/chains.js",
    from: 'import * as _chains from "viem/chains";',
    to: `${chain("bsc")} ${chain("bscTestnet")} const _chains = { bsc, bscTestnet };`,
  },
  { file: "ponder/dist/esm/index.js", from: "export { graphql } from './graphql/middleware.js';", to: "" },

  // Lets a reload in development finish before a further edit invalidates parts of it. That left functions registered twice, or not at
  // all, and the build failed until the next edit.
  {
    file: "ponder/dist/esm/build/index.js",
    from: 'viteDevServer.watcher.on("change", onFileChange);',
    to: `let executing;
            for (const name of ["executeConfig", "executeSchema", "executeIndexingFunctions", "executeApi"]) {
                const execute = build[name];
                build[name] = (...given) => (executing = execute(...given));
            }
            viteDevServer.watcher.on("change", async (file) => {
                for (let seen; seen !== executing;) {
                    seen = executing;
                    await seen.catch(() => {});
                }
                await onFileChange(file);
            });`,
  },
];

/** Makes Node itself run our files. Not in development, where edits cause reloads. */
export const withoutVite: Edit[] = [
  {
    file: "ponder/dist/esm/build/index.js",
    from: `import { createServer } from "vite";
import { ViteNodeRunner } from "vite-node/client";
import { ViteNodeServer } from "vite-node/server";
import { installSourcemapsSupport } from "vite-node/source-map";
import { normalizeModuleId, toFilePath } from "vite-node/utils";
import viteTsconfigPathsPlugin from "vite-tsconfig-paths";`,
    to: 'import { normalizeModuleId, toFilePath } from "vite-node/utils";',
    imports: {
      "without-vite.ts": [
        ...["createServer", "ViteNodeRunner", "ViteNodeServer"],
        ...["installSourcemapsSupport", "viteTsconfigPathsPlugin"],
      ],
    },
  },
];
