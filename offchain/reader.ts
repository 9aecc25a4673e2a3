import { text } from "drizzle-orm/pg-core";
import { offchain } from "./schema.ts";

/**
 * The login of the analysts' role, where a migration of this database created it: the service connects with it for SQL over
 * HTTP. Without a row, the role came from elsewhere, and nobody here knows its password.
 *
 * @public drizzle-kit looks for tables among the exports.
 */
export const readerLogin = offchain.table("reader_login", {
  role: text().primaryKey(),
  password: text().notNull(),
});
