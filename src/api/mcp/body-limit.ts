import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createSlots } from "../concurrency/slots.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { ProblemException, problemResponse } from "../http/problem.ts";

/** An image of 5 MB as a data URL, and the message around it. */
const maxBytes = 7_100_000;
/** Bodies up to this size need no slot. */
const maxSmallBytes = 256 * 1_024;

/**
 * Refuses bodies that are too large. A large body, which only an image needs, is held in memory as a whole: only a few are
 * accepted at a time, and two from one client.
 */
export function limitBody(trustedHops: number): MiddlewareHandler {
  const limitTo = (maxSize: number) =>
    bodyLimit({
      maxSize,
      onError: (c) =>
        problemResponse(c, {
          status: 413,
          code: "body_too_large",
          title: "Body too large",
          detail: `The body may have at most ${maxSize} bytes${maxSize === maxSmallBytes ? " without a Content-Length" : ""}.`,
        }),
    });
  const small = limitTo(maxSmallBytes);
  const large = limitTo(maxBytes);
  const slots = createSlots({
    max: 8,
    maxPerOwner: 2,
    stallMs: 60_000,
    refuse: () =>
      new ProblemException({
        status: 503,
        code: "busy",
        title: "Busy",
        detail: "Too many images are being uploaded: try again in a few seconds.",
        retryAfter: 5,
      }),
  });

  return async (c, next) => {
    const length = Number(c.req.header("content-length") ?? 0);
    if (!(length > maxSmallBytes)) return await small(c, next);
    const slot = slots.take(clientKey(clientIp(c, trustedHops)), () => {});
    try {
      return await large(c, next);
    } finally {
      slot.release();
    }
  };
}
