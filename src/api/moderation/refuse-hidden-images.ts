import type { Context, MiddlewareHandler } from "hono";
import type { DenyList } from "../../../config/deny-list.ts";
import type { Semaphore } from "../concurrency/semaphore.ts";
import type { Database } from "../database/database.ts";
import { ProblemException } from "../http/problem.ts";
import { readHiddenImageReason } from "../market/hidden-token.query.ts";

export type RefuseHiddenImagesDeps = {
  db: Database;
  denyList: () => Pick<DenyList, "deniesImage">;
  /** Limits queries, so that a burst of images leaves connections to all other reads. */
  semaphoreOf: (c: Context) => Semaphore;
};

/** Middleware for /ipfs/:cid: responds with 451 if the image is on the deny list, or belongs only to hidden tokens. */
export function refuseHiddenImages({ db, denyList, semaphoreOf }: RefuseHiddenImagesDeps): MiddlewareHandler {
  return async (c, next) => {
    const cid = c.req.param("cid") ?? "";
    const reason = denyList().deniesImage(cid)
      ? "it is on the deny list."
      : await semaphoreOf(c)(() => readHiddenImageReason(db, cid));
    if (reason !== undefined) throw hiddenImage(cid, reason);
    await next();
  };
}

function hiddenImage(cid: string, reason: string): ProblemException {
  return new ProblemException({
    status: 451,
    code: "image_hidden",
    title: "Hidden by the operator",
    detail: `The operator of this service has hidden the image ${cid}: ${reason}`,
  });
}
