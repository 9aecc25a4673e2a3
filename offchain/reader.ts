import { text } from "drizzle-orm/pg-core";
import { offchain } from "./schema.ts";

/**
 * The login of the analysts' role, if a migration of this database created it: the service uses it for SQL over HTTP. If
 * there is no row, the role was created elsewhere, and its password is unknown here.
 *
 * @public drizzle-kit looks for tables among the exports.
 */
export const readerLogin = offchain.table("reader_login", {
  role: text().primaryKey(),
  password: text().notNull(),
});
