import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { inject, type Response } from "light-my-request";
import { commonHeaders } from "../http/common-headers.ts";

type Shared = { answer: Promise<Response>; until: number };

/** How long an answer is reused. */
const freshMs = 250;
/** How long further requests join one that is pending, before they cause a new one. */
const maxWaitMs = 5_000;

/** Answers all GET and HEAD requests of a path within a moment by calling the listener once. */
export function createSharedAnswers(listener: RequestListener) {
  const shared = new Map<string, Shared>();

  function getAnswer(path: string): Promise<Response> {
    const known = shared.get(path);
    if (known !== undefined && performance.now() < known.until) return known.answer;
    const answer = inject(listener as Parameters<typeof inject>[0], { method: "GET", url: path });
    const entry = { answer, until: performance.now() + maxWaitMs };
    shared.set(path, entry);
    const settle = () => {
      entry.until = performance.now() + freshMs;
    };
    answer.then(settle, settle);
    return answer;
  }

  return function answerShared(path: string, request: IncomingMessage, response: ServerResponse): void {
    getAnswer(path).then(
      ({ statusCode, headers, rawPayload }) => {
        const {
          connection: _,
          "keep-alive": __,
          date: ___,
          "transfer-encoding": ____,
          ...otherHeaders
        } = headers;
        const ownHeaders = { ...otherHeaders, "content-length": rawPayload.length };
        response.writeHead(statusCode, { ...commonHeaders, ...ownHeaders });
        response.end(request.method === "HEAD" ? undefined : rawPayload);
      },
      () => response.destroy(),
    );
  };
}
