import pg from "pg";
import type { Common, QueryBuilder, Row, UserError } from "./ponder-types.ts";

/** A query builder that repeats a transaction whenever it fails, even if only the answer to its COMMIT was lost. */
export type Transactions = QueryBuilder & { transaction(...args: unknown[]): Promise<unknown> };
type Work = (tx: QueryBuilder) => Promise<unknown>;

/** What a transaction wrote: `transaction` is its id, and `versions` are those of the checkpoints' rows after it. */
type Attempt = { transaction: string; versions: string; result: unknown };

export type CommitsOptions = {
  qb: Transactions;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  logger: Pick<Common["logger"], "warn">;
  NonRetryableUserError: UserError;
};

/**
 * Makes each of the indexer's transactions count once. Before anything else, a transaction locks the checkpoints' rows and requires
 * that they are still those of this process's last commit. A repeated transaction asks Postgres first whether the attempt before has
 * been committed after all; then there is nothing left to do, since the cache has what that attempt wrote.
 *
 * A row's version is the transaction that wrote it (`xmin`). Checkpoints themselves don't tell: a block that replaces another one in
 * a reorg often has the same number and time.
 *
 * @returns the query builder, of which only the transactions are others
 */
export async function openCommits({
  qb,
  schema,
  logger,
  NonRetryableUserError,
}: CommitsOptions): Promise<Transactions> {
  const checkpoints = `${pg.escapeIdentifier(schema)}._ponder_checkpoint`;
  let { versions: committed } = await readVersions(qb, "");

  async function ask(from: QueryBuilder, text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await from.wrap({ label: "check_commit" }, () => from.$client.query({ text, values }));
    return rows;
  }

  async function readVersions(from: QueryBuilder, lock: "for update" | "") {
    const rows = await ask(
      from,
      `select chain_id, xmin::text, pg_current_xact_id()::text as transaction
       from ${checkpoints} order by chain_id ${lock}`,
    );
    return {
      versions: rows.map(({ chain_id, xmin }) => `${chain_id} ${xmin}`).join(),
      transaction: String(rows[0]?.transaction ?? ""),
    };
  }

  /** The transaction's row locks are gone, so it has ended, unless it is the first one and there were no rows to lock. */
  async function isCommitted(tx: QueryBuilder, transaction: string): Promise<boolean> {
    const [row] = await ask(tx, "select pg_xact_status($1::text::xid8) as status", [transaction]);
    if (row?.status === "in progress") throw new Error(`transaction ${transaction} has not ended yet`);
    return row?.status === "committed";
  }

  async function transact(args: unknown[]): Promise<unknown> {
    const place = args.findIndex((argument) => typeof argument === "function");
    const work = args[place] as Work;
    let attempt: Attempt | undefined;
    const stop = new NonRetryableUserError(
      `Either another process indexes into the schema "${schema}", or the database has lost what this process committed. ` +
        "It ends, because rows of the two would be mixed, and starts from what is final.",
    );

    async function once(tx: QueryBuilder): Promise<unknown> {
      const { versions } = await readVersions(tx, "for update");
      if (attempt !== undefined && (await isCommitted(tx, attempt.transaction))) {
        if (versions !== attempt.versions) throw stop;
        logger.warn({ msg: "A transaction had been committed, only its answer was lost" });
        return attempt.result;
      }
      if (versions !== committed) throw stop;
      const result = await work(tx);
      attempt = { ...(await readVersions(tx, "")), result };
      return result;
    }

    const result = await qb.transaction(...args.with(place, once)).catch((error: unknown) => {
      // A restart helps, and this is not what Ponder takes for a mistake in a handler.
      throw error === stop ? new Error(stop.message) : error;
    });
    committed = attempt?.versions ?? committed;
    return result;
  }

  const commits: Transactions = Object.create(qb);
  commits.transaction = (...args) => transact(args);
  return commits;
}
