import { t } from "../language/messages.ts";
import type { Alert } from "./manage.ts";

type Failure = Pick<Alert["deliveries"][number], "status" | "error" | "errorCode">;

/** Why something didn't arrive, to complete a sentence. What was tried by an earlier version of the service is in its words. */
export function failureText({ status, error, errorCode }: Failure): string {
  return errorCode === null ? (error ?? "") : t.alerts.failures[errorCode](status ?? 0);
}
