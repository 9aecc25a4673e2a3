import pg from "pg";
import { literal, statement } from "../../offchain/statement.ts";

type Connected = (error?: Error | null, ...rest: unknown[]) => void;

/** Members of a client that are not part of its documented interface. */
type Internals = {
  connectionParameters: { statement_timeout?: number | string | false };
  _connect(callback: Connected): void;
};

/**
 * Makes every client set its `statement_timeout` by a query once it is connected. Ponder's pools and ours configure it as a
 * startup parameter, which PgBouncer refuses.
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
      // Not set_config(), which the read-only role may not call.
      this.query(statement`set statement_timeout = ${literal(String(milliseconds))}`, (failed) =>
        callback(failed, ...rest),
      );
    });
  };
}
