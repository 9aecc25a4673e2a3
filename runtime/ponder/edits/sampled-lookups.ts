import type { Edit } from "./edit.ts";

const file = "indexing-store/cache.js";

/** The first events of a kind, of which Ponder's every tenth is looked at. */
const firstEvents = 1_000;

/**
 * Ponder learns which rows an event needs from every tenth event, by comparing each row's key with everything that the event says.
 * After the first thousand events of a kind, every hundredth is enough, and counts for ten.
 */
export const sampledLookups: Edit[] = [
  {
    file,
    from: "eventCount[event.eventCallback.name] % SAMPLING_RATE === 1",
    to: "isSampled(eventCount[event.eventCallback.name])",
  },
  {
    file,
    from: `.get(key)
                            .count++;`,
    to: `.get(key)
                            .count += weightAt(eventCount[event.eventCallback.name]);`,
  },
  {
    file,
    from: "{ pattern, count: 1 }",
    to: "{ pattern, count: weightAt(eventCount[event.eventCallback.name]) }",
  },
  {
    file,
    from: "const SAMPLING_RATE = 10;",
    to: `const SAMPLING_RATE = 10;
const weightAt = (count) => (count < ${firstEvents} ? 1 : 10);
const isSampled = (count) => count % (SAMPLING_RATE * weightAt(count)) === 1;`,
  },
];
