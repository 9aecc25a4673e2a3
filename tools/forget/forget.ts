// npm run forget -- --chain 56 --from <block>: forgets stored history, which is then read and indexed again into a new schema.
import type pg from "pg";
import { readLastStored } from "../../chain-access/history/forget.ts";
import { requestRepair } from "../../chain-access/history/repair-requests.ts";
import { readLiveSchemas } from "../../offchain/live-schema.ts";
import { StartError } from "../../runtime/start-error.ts";
import { runTool } from "../run-tool.ts";
import { type ForgetArguments, parseForget } from "./arguments.ts";

await runTool(async ({ open }) => {
  const request = parseForget(process.argv.slice(2));
  await forget(await open(), request);
  return 0;
});

/** Requests that history is forgotten. Throws a StartError if there is nothing to forget. */
async function forget(pool: pg.Pool, { chainId, fromBlock }: ForgetArguments): Promise<void> {
  const [live] = await readLiveSchemas(pool);
  const last = await readLastStored(pool, chainId);
  if (live === undefined || last === undefined) {
    throw new StartError(`nothing of chain ${chainId} is stored in this database`);
  }
  if (fromBlock > last) {
    throw new StartError(
      `--from is wrong: the last stored block of chain ${chainId} is ${last}, so there is nothing to forget from block ${fromBlock} on`,
    );
  }
  const isNew = await requestRepair(pool, {
    chainId,
    fromBlock,
    cause: "operator",
    reason: "It was requested with npm run forget.",
  });
  console.log(
    isNew
      ? `requested: the history of chain ${chainId} from block ${fromBlock} on is forgotten, and indexed again into a new schema`
      : "this much has been requested already, and is still to begin",
  );
  console.log(
    `A running npm start begins within seconds, otherwise the next one does. Until it has switched, the schema ${live.schema} is served, and /ready answers 503.`,
  );
}
