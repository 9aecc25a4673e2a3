import type { RequestListener } from "node:http";
import type { Problem } from "../http/problem.ts";
import { sendProblem } from "./send-problem.ts";

/** Returns a problem to respond with, or any other object to send as JSON with status 200. */
export type Override = () => Promise<Problem | object>;

/** Answers the given paths in place of the listener. */
export function withOverrides(
  answers: ReadonlyMap<string, Override>,
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
        });
        response.end(JSON.stringify(body));
      },
      () => response.destroy(),
    );
  };
}

const isProblem = (body: object): body is Problem => "status" in body && "code" in body;
