import { migrateOffchain } from "../offchain/migrate.ts";
import { StartError } from "./start-error.ts";

/** Runs the off-chain migrations. Throws a StartError if the database can't be used. */
export async function migrate(databaseUrl: string): Promise<void> {
  try {
    await migrateOffchain(databaseUrl);
  } catch (error) {
    const reason =
      error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);
    throw new StartError(
      "failed",
      `the database ${withoutPassword(databaseUrl)} can't be used (${reason}): check DATABASE_URL, that Postgres runs, and that its user may create schemas`,
      { cause: error },
    );
  }
}

function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (url.password) url.password = "…";
  return decodeURI(url.href);
}
