/** The status that nginx logs for a client that hung up. It is never received. */
const clientClosedRequest = 499;

/** Thrown for a request whose client has hung up. */
export class ClientGoneError extends Error {
  override name = "ClientGoneError";
}

/** Ends a request whose client has hung up. */
export function clientGone(): Response {
  return new Response(null, { status: clientClosedRequest });
}
