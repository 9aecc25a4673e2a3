import { once } from "node:events";
import { createServer } from "node:http";

type WaitingFor = {
  code: "chain_unavailable" | "not_indexed_yet" | "service_unavailable";
  title: string;
  detail: string;
};

/**
 * Answers in place of the API while a start waits: 200 at /health, since a restart would not help, and everywhere else a problem.
 * Returns how to end it. Throws a SystemError if the port is taken.
 */
export async function startWaitingServer(
  host: string | undefined,
  port: number,
  waitingFor: WaitingFor,
): Promise<() => Promise<void>> {
  const problem = { type: "about:blank", status: 503, ...waitingFor };
  const server = createServer({ keepAliveTimeout: 1 }, (request, response) => {
    if (request.url === "/health") return void response.writeHead(200).end();
    response
      .writeHead(503, {
        "content-type": "application/problem+json",
        "cache-control": "no-store",
        "access-control-allow-origin": "*",
        "retry-after": "5",
        connection: "close",
      })
      .end(JSON.stringify(problem));
  });
  await once(server.listen(port, host), "listening");
  return async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
}
