import type { Edit } from "./edit.ts";

const file = "ponder/dist/esm/runtime/events.js";
const ours = JSON.stringify(new URL("../transaction-events.ts", import.meta.url).href);

/** Shows handlers the other events of a transaction, by which a trade's account is found: `src/curve/traders.ts`. */
export const transactionEvents: Edit[] = [
  {
    file,
    from: "import { toLowerCase } from '../utils/lowercase.js';",
    to: `import { toLowerCase } from '../utils/lowercase.js';\nimport { linkTransactions } from ${ours};`,
  },
  { file, from: "    return events;\n};", to: "    return linkTransactions(events);\n};" },
];
