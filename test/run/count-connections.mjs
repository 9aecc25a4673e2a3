/*
 * Node loads this before one of our programs (`--import`): it appends a line to CONNECTIONS_FILE for each pool of connections to Postgres
 * that is created, with its limit, and for each connection of its own.
 */
import { appendFileSync } from "node:fs";
import pg from "pg";

const { Client, Pool } = pg;
const note = (...words) =>
  appendFileSync(process.env.CONNECTIONS_FILE, `${process.pid} ${words.join(" ")}\n`);

pg.Pool = class extends Pool {
  constructor(options) {
    super(options);
    note("pool", options.max, options.application_name);
  }
};
pg.Client = class NotedClient extends Client {
  constructor(options) {
    super(options);
    // Pools have classes of their own, or the original one.
    if (new.target === NotedClient) note("client", 1, options?.application_name);
  }
};
