import { onConnection } from "../../offchain/connection.ts";
import { updateViews } from "../../runtime/ponder/views/follow-index.ts";
import { testSchema } from "./indexer.ts";

/** Updates the views for analysts if necessary, once, as a running service does. Returns what it logs. */
export const updateViewsOnce = (url: string, schema = testSchema): Promise<string> =>
  onConnection(url, (client) => updateViews(client, schema));
