/** What nginx notes for a client that hung up. Nobody receives it. */
const clientClosedRequest = 499;

/** Thrown for a request whose client has hung up. */
export class ClientGoneError extends Error {
  override name = "ClientGoneError";
}

/** Ends a request whose client has hung up. */
export function clientGone(): Response {
  return new Response(null, { status: clientClosedRequest });
}
