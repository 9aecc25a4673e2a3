import type { components } from "./api-types.ts";

/** An event of the stream. Pass its `cursor` as `after` to continue after it. `removed` marks an event that was undone by a reorg. */
export type StreamEvent = components["schemas"]["StreamEvent"];
