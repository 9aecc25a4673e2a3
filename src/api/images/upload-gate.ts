import type { IncomingMessage } from "node:http";
import { requestKey } from "../http/client-ip.ts";
import { type Problem, ProblemException } from "../http/problem.ts";
import { problemOf } from "./image-error.ts";
import type { ImageRouteDeps } from "./image-routes.ts";

/** Refuses uploads that have no slot to come before anything of them is read, so that a crowd of them costs next to nothing. */
export function createUploadGate({ images, trustedHops }: ImageRouteDeps) {
  return (request: IncomingMessage): Problem | undefined => {
    if (request.method !== "POST") return undefined;
    const reason = problemOf(images.refusal(requestKey(request, trustedHops)));
    return reason instanceof ProblemException ? reason.problem : undefined;
  };
}
