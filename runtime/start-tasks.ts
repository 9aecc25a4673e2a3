import { ignore } from "../config/async.ts";
import type { ChainSettings } from "../config/env.ts";
import type { ServiceCommand } from "./checks/database.ts";
import type { Log } from "./log/log.ts";
import type { DatabaseUrls } from "./postgres/database.ts";
import type { ChooseFeedsOptions } from "./price-feed/choose-feeds.ts";
import type { FeedChain } from "./price-feed/resolve-feed.ts";
import { channelOf } from "./process/channel.ts";
import { StartError } from "./start-error.ts";

/*
 * The parts of a start that need zod, viem and drizzle, which take 50 MB of memory: they run in this process, which ends with the
 * start (run-start-tasks.ts). What `npm start` and `npm run serve` do as long as they run needs none of them.
 */

const channel = channelOf(process);

/** Logs in the parent, which knows the format and the secrets. If it is gone, nobody reads this. */
const log: Log = (line, level) => void channel.send({ kind: "log", line, level }).catch(ignore);

const tasks = {
  async readSettings() {
    const { readSettings } = await import("./settings.ts");
    return readSettings(log);
  },
  async checkChains(chains: ChainSettings[]) {
    const { checkChains } = await import("./checks/check-chains.ts");
    return await checkChains(chains, log);
  },
  async prepareDatabase(urls: Pick<DatabaseUrls, "url" | "readUrl">, command: ServiceCommand) {
    const { prepareDatabase } = await import("./checks/database.ts");
    await prepareDatabase(urls, command, { log });
  },
  async chooseFeeds(options: Pick<ChooseFeedsOptions, "chains" | "databaseUrl" | "schema">) {
    const { chooseFeeds } = await import("./price-feed/choose-feeds.ts");
    const { signal } = new AbortController();
    const onWait = () => void channel.send({ kind: "waiting" });
    return await chooseFeeds({ ...options, signal, log, onWait });
  },
  async resolveFeeds(chain: FeedChain) {
    const { resolveChainFeeds } = await import("./price-feed/resolve-feed.ts");
    return await resolveChainFeeds(chain);
  },
};

export type StartTasks = typeof tasks;

channel.listen(async ({ kind, args }) => {
  const task = tasks[kind as keyof StartTasks] as (...given: unknown[]) => Promise<unknown>;
  try {
    await channel.send({ kind: "done", result: await task(...(args as unknown[])) });
  } catch (error) {
    const { message, stack, code } = error as NodeJS.ErrnoException;
    await channel.send({ kind: "failed", isExpected: error instanceof StartError, message, stack, code });
  }
});
process.once("disconnect", () => process.exit());
