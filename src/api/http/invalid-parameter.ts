import { ProblemException } from "./problem.ts";

/** For a parameter that is wrong beside others, or beside what is there. The message completes the sentence "`path` ...". */
export function invalidParameter(path: string, message: string): ProblemException {
  return new ProblemException({
    status: 400,
    code: "invalid_request",
    title: "Invalid request",
    detail: `${path} ${message}`,
    errors: [{ path, message }],
  });
}
