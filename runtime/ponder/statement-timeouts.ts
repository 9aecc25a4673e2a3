import pg from "pg";
import { literal, statement } from "../../offchain/statement.ts";

type Connected = (error?: Error | null, ...rest: unknown[]) => void;

/** What every client has beyond its documented interface. */
type Internals = {
  connectionParameters: { statement_timeout?: number | string | false };
  _connect(callback: Connected): void;
};

/**
 * Has every client set its `statement_timeout` by a query, once it is connected. As a parameter of the start of a connection, which
 * is how Ponder's pools and ours configure it, PgBouncer refuses it.
 */
export function setStatementTimeoutsByQuery(): void {
  const client = pg.Client.prototype as unknown as Internals;
  const connect = client._connect;
  client._connect = function (this: Internals & pg.Client, callback) {
    const { statement_timeout: timeout } = this.connectionParameters;
    this.connectionParameters.statement_timeout = false;
    connect.call(this, (error, ...rest) => {
      const milliseconds = Number(timeout);
      if (error || !(milliseconds > 0)) return callback(error, ...rest);
      // Not set_config(): the role that can only read may not call it.
      this.query(statement`set statement_timeout = ${literal(String(milliseconds))}`, (failed) =>
        callback(failed, ...rest),
      );
    });
  };
}
