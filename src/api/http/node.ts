import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";

/** Node's request and response behind a request, which has none if it doesn't come from a server. */
export const nodeOf = (c: Context): { incoming?: IncomingMessage; outgoing?: ServerResponse } => c.env ?? {};
