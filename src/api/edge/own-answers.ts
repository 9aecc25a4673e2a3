import type { RequestListener } from "node:http";
import type { Problem } from "../http/problem.ts";
import { sendProblem } from "./send-problem.ts";

/** Answers a path with a problem, or with 200 and the JSON of any other object. */
export type OwnAnswer = () => Promise<Problem | object>;

/** Answers these paths here, where the listener would answer otherwise. */
export function withOwnAnswers(
  answers: ReadonlyMap<string, OwnAnswer>,
  listener: RequestListener,
): RequestListener {
  return (request, response) => {
    const answer = answers.get(request.url ?? "");
    if (answer === undefined) return listener(request, response);
    answer().then(
      (body) => {
        if (isProblem(body)) return sendProblem(response, body);
        response.writeHead(200, {
          "Content-Type": "application/json",
          "Cache-Control": "no-store",
          "Access-Control-Allow-Origin": "*",
          "X-Content-Type-Options": "nosniff",
        });
        response.end(JSON.stringify(body));
      },
      () => response.destroy(),
    );
  };
}

const isProblem = (body: object): body is Problem => "status" in body && "code" in body;
