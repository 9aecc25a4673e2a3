import pg from "pg";
import { StartError } from "../start-error.ts";
import { DATABASE } from "./cluster.ts";

const NO_SUCH_DATABASE = "3D000";
const WRONG_PASSWORD = "28P01";
const ALREADY_THERE = "42P04";

/** The connection string of the service's database on a local server. */
export function databaseUrl(port: number, password: string, database = DATABASE): string {
  return `postgres://${DATABASE}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** Makes the service's database unless it is there. Throws a StartError when the server does not let us in. */
export async function ensureDatabase(port: number, password: string): Promise<void> {
  if ((await query(databaseUrl(port, password), "select 1")) !== NO_SUCH_DATABASE) return;
  await query(databaseUrl(port, password, "postgres"), `create database ${DATABASE}`);
}

async function query(connectionString: string, text: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 30_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(text);
    return undefined;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === NO_SUCH_DATABASE || code === ALREADY_THERE) return code;
    const advice =
      code === WRONG_PASSWORD
        ? "the file password in the data folder is not the one it was made with"
        : message;
    throw new StartError("failed", `Postgres does not let the service in: ${advice}`, { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}
