import type { Edit } from "./edit.ts";

const cache = "indexing-store/cache.js";
const store = "indexing-store/index.js";

/** A row that is in memory, as nearly every one is, is found without promises: they took longer than finding it. */
export const foundInMemory: Edit[] = [
  { file: cache, from: "async get({ table, key }) {", to: "get({ table, key }) {" },
  {
    file: cache,
    from: `"miss");
            const endClock = startClock();`,
    to: `"miss");
            return (async () => {
            const endClock = startClock();`,
  },
  {
    file: cache,
    from: `            }, endClock());
            return result;
        },`,
    to: `            }, endClock());
            return result;
            })();
        },`,
  },
  {
    file: store,
    from: "let ponderRowUpdate = await indexingCache.get({ table, key });",
    to: `let ponderRowUpdate = indexingCache.get({ table, key });
                        if (ponderRowUpdate instanceof Promise) ponderRowUpdate = await ponderRowUpdate;`,
  },
  {
    file: store,
    from: `let ponderRowUpdate = await indexingCache.get({
                                        table,
                                        key: userValues,
                                    });`,
    to: `let ponderRowUpdate = indexingCache.get({ table, key: userValues });
                                    if (ponderRowUpdate instanceof Promise) ponderRowUpdate = await ponderRowUpdate;`,
  },
  {
    file: store,
    from: "const ponderRow = await indexingCache.get({ table, key });",
    to: `let ponderRow = indexingCache.get({ table, key });
                if (ponderRow instanceof Promise) ponderRow = await ponderRow;`,
  },
  // Nobody else has the lock, unless a handler makes several changes at once.
  { file: "utils/mutex.js", from: "lock: async () => {", to: "lock: () => {" },
  {
    file: store,
    from: "await lock.lock();",
    to: `const turn = lock.lock();
                if (turn !== undefined) await turn;`,
  },
];
