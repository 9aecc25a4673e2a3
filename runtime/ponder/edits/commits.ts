import type { Edit } from "./edit.ts";

const file = "ponder/dist/esm/runtime/multichain.js";
const openCommits = JSON.stringify(new URL("../store/commits.ts", import.meta.url).href);

/** Makes each transaction of the indexer count once: `runtime/ponder/store/commits.ts`. */
export const commits: Edit[] = [
  {
    file,
    from: "import { createColumnAccessPattern, createIndexing, getEventCount, } from '../indexing/index.js';",
    to: `import { createColumnAccessPattern, createIndexing, getEventCount, } from '../indexing/index.js';\nimport { openCommits } from ${openCommits};`,
  },
  {
    file,
    from: "const indexing = createIndexing({",
    to: `const commits = await openCommits({
        NonRetryableUserError,
        qb: database.userQB,
        schema: namespaceBuild.schema,
        cache: indexingCache,
        logger: common.logger,
    });
    const indexing = createIndexing({`,
  },
  // The first one, those of the history's batches, of live blocks and of reorgs.
  { file, from: "await database.userQB.transaction(", to: "await commits.transaction(", times: 4 },
  { file, from: "await finalizeMultichain(database.userQB, {", to: "await finalizeMultichain(commits, {" },
  // A start returns the tables to what is final. An indexer that is still alive must notice.
  {
    file: "ponder/dist/esm/database/index.js",
    from: "// Note: We don't update the `_ponder_checkpoint` table here, instead we wait for it to be updated",
    to: "await tx.wrap((tx) => tx.update(PONDER_CHECKPOINT).set({ chainId: sql`chain_id` }), context);\n                // Note: We don't move the checkpoints here, instead we wait for them to be updated",
  },
];
