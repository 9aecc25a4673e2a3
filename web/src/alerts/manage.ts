import { api, dataOf } from "../data/client.ts";
import { t } from "../language/messages.ts";

/** The requests with which a wallet manages its subscriptions, by the token that it has signed for. */
export function manage(token: string) {
  const header = { Authorization: `Bearer ${token}` };
  const one = (id: string) => ({ params: { header, path: { id } } });
  return {
    list: () => dataOf(api.GET("/api/alerts", { params: { header } })),
    change: (id: string, body: Change) => dataOf(api.PATCH("/api/alerts/{id}", { ...one(id), body })),
    end: (id: string) => dataOf(api.DELETE("/api/alerts/{id}", one(id))),
    verify: (id: string) => dataOf(api.POST("/api/alerts/{id}/verify", one(id))),
    test: (id: string) => dataOf(api.POST("/api/alerts/{id}/test", one(id))),
  };
}

export type Change = { status?: "active" | "paused"; url?: string; rotateSecret?: true; from?: string };

export type Manager = ReturnType<typeof manage>;

export type Alert = Awaited<ReturnType<Manager["list"]>>["alerts"][number];

type Failure = Pick<Alert["deliveries"][number], "status" | "error" | "errorCode">;

/** Why something didn't arrive, to complete a sentence. What another version of the service tried is in its words. */
export function failureText({ status, error, errorCode }: Failure): string {
  const failures: Partial<typeof t.alerts.failures> = t.alerts.failures;
  return (errorCode && failures[errorCode]?.(status ?? 0)) ?? error ?? "";
}
