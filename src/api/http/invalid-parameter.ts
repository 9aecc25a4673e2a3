import { ProblemException } from "./problem.ts";

/** The problem for a parameter that conflicts with other parameters or with stored data. The message completes the sentence "`path` ...". */
export function invalidParameter(path: string, message: string): ProblemException {
  return new ProblemException({
    status: 400,
    code: "invalid_request",
    title: "Invalid request",
    detail: `${path} ${message}`,
    errors: [{ path, message }],
  });
}
