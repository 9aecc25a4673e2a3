import { onConnection } from "../offchain/connection.ts";
import { readIndexedNames } from "../runtime/ponder/indexed-schemas.ts";
import { StartError } from "../runtime/start-error.ts";
import { localSchema } from "./local-environment.ts";

/**
 * Throws a StartError if anything but the local chain is indexed in a database. That chain has the id of the real one: its tokens would
 * be registered among real ones, and what is requested and delivered there would be taken for the local stack's.
 */
export async function assertOwnDatabase(url: string): Promise<void> {
  const indexed = await onConnection(url, readIndexedNames);
  const other = indexed.find((schema) => schema !== localSchema);
  if (other === undefined) return;
  throw new StartError(
    `npm run dev needs a database of its own, and npm start indexes into that of DATABASE_URL (schema ${other}): name another one, or take DATABASE_URL out of the environment and .env.local for npm run dev`,
    { code: "in-use" },
  );
}
