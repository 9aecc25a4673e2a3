import { t } from "../language/messages.ts";
import type { Alert } from "./manage.ts";

type Failure = Pick<Alert["deliveries"][number], "status" | "error" | "errorCode">;

/** Why something didn't arrive, to complete a sentence. What another version of the service tried is in its words. */
export function failureText({ status, error, errorCode }: Failure): string {
  const failures: Partial<typeof t.alerts.failures> = t.alerts.failures;
  return (errorCode && failures[errorCode]?.(status ?? 0)) ?? error ?? "";
}
