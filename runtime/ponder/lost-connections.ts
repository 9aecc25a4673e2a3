import pg from "pg";

type Internals = { _connect(...given: unknown[]): void };

/**
 * Has every client live through the loss of its connection, which its queries reject with. A pool listens to a client from when
 * its `connect` is done; a connection that is lost just before, while the client makes its first query, would end the process.
 */
export function surviveLostConnections(): void {
  const client = pg.Client.prototype as unknown as Internals;
  const connect = client._connect;
  client._connect = function (this: Internals & pg.Client, ...given) {
    this.on("error", leaveToQueries);
    connect.apply(this, given);
  };
}

const leaveToQueries = () => {};
