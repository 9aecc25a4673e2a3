import pg from "pg";

type Internals = { _connect(...given: unknown[]): void };

/**
 * Makes every client survive the loss of its connection; its queries still reject. A pool only listens for a client's errors once
 * its `connect` is done, so a connection that is lost just before, during the client's first query, would end the process.
 */
export function surviveLostConnections(): void {
  const client = pg.Client.prototype as unknown as Internals;
  const connect = client._connect;
  client._connect = function (this: Internals & pg.Client, ...given) {
    this.on("error", reportedByQueries);
    connect.apply(this, given);
  };
}

/** The client's queries reject with the error. */
const reportedByQueries = () => {};
