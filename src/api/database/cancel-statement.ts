import net from "node:net";
import type pg from "pg";
import { ignore } from "../../../config/async.ts";

/** Undocumented fields of the driver's client: where it is connected to, and what Postgres wants to see from whoever cancels. */
type Connected = { host: string; port: number; processID: number; secretKey: number };

/** The code of a request to cancel, in place of a version of the protocol. */
const CANCEL_REQUEST = 80_877_102;
const timeoutMs = 4_000;

/**
 * Asks Postgres to end the statement that a connection runs. The protocol has no answer to it, and a PgBouncer passes it on, unlike
 * `pg_cancel_backend`, for which the process would be another one's. The request may come late: close the connection afterwards, or the
 * next statement may be ended. If it can't be sent, as where a proxy wants TLS, the statement goes on until its time is up.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, processID, secretKey } = client as unknown as Connected;
  const request = Buffer.alloc(16);
  for (const [index, value] of [request.length, CANCEL_REQUEST, processID, secretKey].entries())
    request.writeInt32BE(value, 4 * index);
  const socket = net.connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.unref().on("error", ignore);
  socket.setTimeout(timeoutMs, () => socket.destroy());
  // Postgres closes the connection. If this side did so before, PgBouncer would forget the request.
  socket.resume().write(request);
}
