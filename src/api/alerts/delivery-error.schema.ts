import { z } from "@hono/zod-openapi";

const deliveryErrors = [
  "unresolved",
  "not_public",
  "timeout",
  "closed",
  "flood",
  "tls",
  "unreachable",
  "status",
  "redirect",
  "rate_limited",
  "too_many_challenges",
  "not_echoed",
] as const;

/** Why something didn't arrive. */
export type DeliveryError = (typeof deliveryErrors)[number];

/** Null for what has arrived. */
export const errorCode = z.enum(deliveryErrors).nullable();
