import type { components } from "./api-types.ts";

/** An event of the stream. Pass its `id` as `after` to go on behind it. What a reorg took back comes with `removed`. */
export type StreamEvent = components["schemas"]["StreamEvent"];
