import { once } from "node:events";
import { createServer } from "node:http";

/**
 * Answers in place of the API while a first start waits for the chain: 200 at /health, since a restart would not help, and everywhere
 * else a problem. Returns how to end it.
 */
export async function startWaitingServer(
  host: string | undefined,
  port: number,
  detail: string,
): Promise<() => Promise<void>> {
  const problem = {
    type: "about:blank",
    status: 503,
    code: "chain_unavailable",
    title: "Chain unavailable",
    detail,
  };
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
