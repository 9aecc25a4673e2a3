import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import perfHooks from "node:perf_hooks";
import pg from "pg";
import { ignore } from "../../config/async.ts";
import { literal, statement } from "../../offchain/connection.ts";

/**
 * Keeps Ponder from writing `ponder-env.d.ts`, the types for editors, at each start: the program's folder may belong to another
 * user, or be read-only.
 */
export function leaveCheckoutAlone(): void {
  const { writeFileSync } = fs;
  fs.writeFileSync = (file, ...rest) => {
    if (typeof file === "string" && path.basename(file) === "ponder-env.d.ts") return;
    writeFileSync(file, ...rest);
  };
  syncBuiltinESMExports();
}

/**
 * Makes Ponder's metrics sample the event loop's delay, for which Node uses a timer, twenty times a second. A thousand times was half
 * of an idle service's processor time, and a hundred times a quarter.
 */
export function sampleLoopDelayLessOften(): void {
  const { monitorEventLoopDelay } = perfHooks;
  perfHooks.monitorEventLoopDelay = () => monitorEventLoopDelay({ resolution: 50 });
}

type Pool = { ending: boolean; connect: (...args: unknown[]) => unknown };

/**
 * Makes requests for a connection from an ended pool wait forever. When Ponder reloads in development, its previous work continues
 * until it asks its ended pool for a connection, and the error would end the process.
 */
export function silenceEndedPools(): void {
  const pool = pg.Pool.prototype as unknown as Pool;
  const { connect } = pool;
  pool.connect = function (this: Pool, ...args) {
    return this.ending ? new Promise(() => {}) : connect.apply(this, args);
  };
}

type Internals = { _connect(...args: unknown[]): void };

/**
 * Makes every client survive the loss of its connection; its queries still reject. A pool only listens for a client's errors once
 * its `connect` is done, so a connection that is lost just before, during the client's first query, would end the process.
 */
export function surviveLostConnections(): void {
  const client = pg.Client.prototype as unknown as Internals;
  const connect = client._connect;
  client._connect = function (this: Internals & pg.Client, ...args) {
    // The client's queries reject with the error.
    this.on("error", ignore);
    connect.apply(this, args);
  };
}

type Connected = (error?: Error | null, ...rest: unknown[]) => void;

/** Members of a client that are not part of its documented interface. */
type ClientInternals = {
  connectionParameters: { statement_timeout?: number | string | false };
  _connect(callback: Connected): void;
};

/**
 * Makes every client set its `statement_timeout` by a query once it is connected. Ponder's pools and ours configure it as a
 * startup parameter, which PgBouncer refuses.
 */
export function setStatementTimeoutsByQuery(): void {
  const client = pg.Client.prototype as unknown as ClientInternals;
  const connect = client._connect;
  client._connect = function (this: ClientInternals & pg.Client, callback) {
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
