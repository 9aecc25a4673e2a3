import type pg from "pg";
import { withoutIndexes } from "./indexes.ts";
import { createdTokens, type FixtureSize } from "./size.ts";
import { type SeededRegistration, type SeededToken, seededTokens } from "./tokens.ts";

const batch = 4_000;

const tokenColumns = "index int, address text, name text, symbol text, creator text, burn_percent int";
const registrationColumns = `chain_id int, mint text, name text, symbol text, creator text, burn_percent int,
  description text, image_url text, twitter_url text, website_url text, verified boolean, registered_at timestamptz,
  version bigint, search text`;

/**
 * Writes what all tokens are called to bench.token, and the registrations where they belong. Resolves when the rows are
 * there, to a function that makes the indexes, of which the search takes the longest.
 */
export async function fillRegistrations(
  client: pg.Client,
  size: FixtureSize,
  onProgress: (done: number, total: number) => void,
): Promise<() => Promise<void>> {
  await client.query(`create unlogged table bench.token (${tokenColumns})`);
  const makeIndexes = await withoutIndexes(client, "offchain", "registration");
  const tokens: SeededToken[] = [];
  const registrations: SeededRegistration[] = [];
  // What is sent travels while the next batch is made.
  let writing: Promise<unknown> = Promise.resolve();
  const write = async () => {
    const sent = [JSON.stringify(tokens.splice(0)), JSON.stringify(registrations.splice(0))];
    await writing;
    writing = Promise.all([
      insert(client, "bench.token", tokenColumns, sent[0]),
      insert(client, "offchain.registration", registrationColumns, sent[1]),
    ]);
  };
  let done = 0;
  for (const { token, registration } of seededTokens(size)) {
    tokens.push(token);
    if (registration !== undefined) registrations.push(registration);
    if (++done % batch > 0) continue;
    await write();
    onProgress(done, createdTokens(size));
  }
  await write();
  await writing;
  await client.query("update offchain.registry set version = $1", [size.tokens]);
  return async () => {
    await makeIndexes();
    await client.query("analyze offchain.registration");
  };
}

function insert(client: pg.Client, table: string, columns: string, rows: string | undefined) {
  const names = columns.replaceAll(/(\w+) \w+(,|$)/g, "$1$2");
  return client.query(
    `insert into ${table} (${names}) select ${names} from json_to_recordset($1) as row (${columns})`,
    [rows],
  );
}
