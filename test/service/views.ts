import { onConnection } from "../../offchain/connection.ts";
import { updateViews } from "../../runtime/ponder/views/follow-index.ts";
import { testSchema } from "./indexer.ts";

/** Looks once whether the views for analysts are to be made, as a running service does, and returns what it logs. */
export const lookAfterViews = (url: string, schema = testSchema): Promise<string> =>
  onConnection(url, (client) => updateViews(client, schema));
