import type { Edit } from "./edit.ts";

const file = "ponder/dist/esm/runtime/multichain.js";
const historical = "ponder/dist/esm/runtime/historical.js";
const ours = (name: string) => JSON.stringify(new URL(`../store/${name}`, import.meta.url).href);

/** Replaces Ponder's store with our own: `runtime/ponder/store/`. */
export const indexingStore: Edit[] = [
  {
    file,
    from: "import { createIndexingCache } from '../indexing-store/cache.js';",
    to: `import { createIndexingCache } from ${ours("indexing-cache.ts")};`,
  },
  {
    file,
    from: "import { createIndexingStore } from '../indexing-store/index.js';",
    to: `import { createIndexingStore } from ${ours("indexing-store.ts")};`,
  },
  {
    file,
    from: "const indexingStore = createIndexingStore({",
    to: "const indexingStore = createIndexingStore({\n        NonRetryableUserError,",
  },
  {
    file: historical,
    from: "import { bufferAsyncGenerator, createCallbackGenerator, mergeAsyncGenerators, } from '../utils/generators.js';",
    to: `import { bufferAsyncGenerator, createCallbackGenerator } from '../utils/generators.js';
import { mergeOnFlush as mergeAsyncGenerators } from ${ours("merge-on-flush.ts")};`,
  },
  // Our store is the only writer: after the backfill, its cache is what the database has.
  {
    file,
    from: "indexingCache.clear();\n    // Note: Invalidating",
    to: "// Note: Invalidating",
  },
];
