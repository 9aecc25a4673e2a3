import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createSlots } from "../concurrency/slots.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { ProblemException, problemResponse } from "../http/problem.ts";

/** An image of 5 MB as a data URL, and what stands around it. */
const mostBytes = 7_100_000;
/** What needs no slot. */
const smallBytes = 256 * 1_024;

/**
 * Refuses bodies that are too large. A large one, which only an image makes, waits in memory as a whole: of these a few are
 * taken at a time, and two of one client.
 */
export function limitBody(trustedHops: number): MiddlewareHandler {
  const tooLarge = (most: number) =>
    bodyLimit({
      maxSize: most,
      onError: (c) =>
        problemResponse(c, {
          status: 413,
          code: "body_too_large",
          title: "Body too large",
          detail: `The body may have at most ${most} bytes${most === smallBytes ? " without a Content-Length" : ""}.`,
        }),
    });
  const small = tooLarge(smallBytes);
  const large = tooLarge(mostBytes);
  const slots = createSlots({
    most: 8,
    mostPerOwner: 2,
    patienceMs: 60_000,
    refuse: () =>
      new ProblemException({
        status: 503,
        code: "busy",
        title: "Busy",
        detail: "Too many images are being uploaded: try again in some seconds.",
        retryAfter: 5,
      }),
  });

  return async (c, next) => {
    const length = Number(c.req.header("content-length") ?? 0);
    if (!(length > smallBytes)) return await small(c, next);
    const slot = slots.take(clientKey(clientIp(c, trustedHops)), () => {});
    try {
      return await large(c, next);
    } finally {
      slot.release();
    }
  };
}
