import { findPackageJSON } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Edit } from "./edit.ts";

const viem = path.dirname(findPackageJSON("viem", import.meta.url) ?? "");
const chain = (name: string) =>
  `import { ${name} } from ${JSON.stringify(pathToFileURL(path.join(viem, `_esm/chains/definitions/${name}.js`)).href)};`;

/** Removes what Ponder loads or searches at each start without use for this service: a third of all modules, and `src/api`. */
export const unusedPackages: Edit[] = [
  // All 700 chains, to find the configured ones.
  {
    file: "ponder/dist/esm/utils/chains.js",
    from: 'import * as _chains from "viem/chains";',
    to: `${chain("bsc")} ${chain("bscTestnet")} const _chains = { bsc, bscTestnet };`,
  },
  // The API's folders have no handlers, so they need not be searched for them.
  {
    file: "ponder/dist/esm/build/index.js",
    from: "ignore: [apiPattern, testFilePattern],",
    to: 'ignore: [apiPattern, testFilePattern, path.join(common.options.apiDir, "**")],',
    times: 2,
  },
  // Ponder's GraphQL server. Ours is in src/api/graphql.
  { file: "ponder/dist/esm/index.js", from: "export { graphql } from './graphql/middleware.js';", to: "" },
  // Postgres in WebAssembly.
  ...["ponder/dist/esm/utils/pglite.js", "ponder/dist/esm/database/queryBuilder.js"].map((file) => ({
    file,
    from: 'import { PGlite } from "@electric-sql/pglite";',
    to: "class PGlite {}",
  })),
  ...["ponder/dist/esm/build/index.js", "ponder/dist/esm/database/index.js"].map((file) => ({
    file,
    from: 'import { drizzle as drizzlePglite } from "drizzle-orm/pglite";',
    to: "",
  })),
];
