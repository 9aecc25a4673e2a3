import type { Edit } from "./edit.ts";

const file = "ponder/dist/esm/database/actions.js";

/** Indexes that are made at a time at the end of a backfill. */
const atOnce = 3;

/** One index after the other leaves a processor idle, unless its table is so large that Postgres takes two for it. */
export const indexes: Edit[] = [
  {
    file,
    from: "for (const statement of statements.indexes.sql) {",
    to: `const left = statements.indexes.sql.values();
    await Promise.all(Array.from({ length: ${atOnce} }, async () => { for (const statement of left) {`,
  },
  {
    file,
    from: `tx.execute(statement));
        }, undefined, context);
    }`,
    to: `tx.execute(statement));
        }, undefined, context);
    } }));`,
  },
];
