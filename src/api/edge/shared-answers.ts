import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { inject, type Response } from "light-my-request";

type Shared = { answer: Promise<Response>; until: number };

/** How long an answer is given to whoever asks. */
const freshMs = 250;
/** From when on an answer that does not come is not waited for by others. */
const patienceMs = 5_000;

/** Answers GET and HEAD of a path for everyone who asks within a moment by asking the listener once. */
export function createSharedAnswers(listener: RequestListener) {
  const shared = new Map<string, Shared>();

  function answerOf(path: string): Promise<Response> {
    const known = shared.get(path);
    if (known !== undefined && performance.now() < known.until) return known.answer;
    const answer = inject(listener as Parameters<typeof inject>[0], { method: "GET", url: path });
    const entry = { answer, until: performance.now() + patienceMs };
    shared.set(path, entry);
    const settle = () => {
      entry.until = performance.now() + freshMs;
    };
    answer.then(settle, settle);
    return answer;
  }

  return function answerShared(path: string, request: IncomingMessage, response: ServerResponse): void {
    answerOf(path).then(
      ({ statusCode, headers, rawPayload }) => {
        const { connection: _, "keep-alive": __, date: ___, "transfer-encoding": ____, ...own } = headers;
        response.writeHead(statusCode, { ...own, "content-length": rawPayload.length });
        response.end(request.method === "HEAD" ? undefined : rawPayload);
      },
      () => response.destroy(),
    );
  };
}
