// npm run moderate -- hide | unhide | list | apply: hides tokens.
import type pg from "pg";
import { type DenyList, readDenyList } from "../../config/deny-list.ts";
import type { Environment } from "../../config/env.ts";
import { inSnapshot } from "../../offchain/connection.ts";
import {
  createModerationStore,
  type ModerationStore,
  type TokenKey,
} from "../../offchain/moderation-store.ts";
import { readRegistrations } from "../../offchain/read-registrations.ts";
import { assertDenyList } from "../../runtime/checks/deny-list.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { readSettings } from "../../runtime/settings.ts";
import { StartError } from "../../runtime/start-error.ts";
import { openDatabase } from "../open-database.ts";
import { type ModerateCommand, parseCommand } from "./arguments.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const command = parseCommand(process.argv.slice(2));
    const settings = readSettings(log);
    const pool = await openDatabase(supervisor, settings);
    const code = await run(command, pool, settings).finally(() => pool.end());
    void supervisor.stop(code);
  }),
);

/** Runs the command. Resolves to the exit code. */
async function run(command: ModerateCommand, pool: pg.Pool, { moderationFile }: Environment): Promise<0 | 1> {
  const store = createModerationStore(pool);
  if (command.name === "list") {
    const hidden = await store.all();
    for (const { chainId, mint, hiddenAt, reason } of hidden)
      log(`${mint} on chain ${chainId} since ${hiddenAt.toISOString()}: ${reason}`);
    log(`${hidden.length} hidden`);
    return 0;
  }
  if (command.name === "apply") {
    if (moderationFile === undefined) throw new StartError("failed", "MODERATION_FILE names no deny list");
    assertDenyList(moderationFile);
    const { isDry } = command;
    const found = await applyDenyList({ pool, store, list: readDenyList(moderationFile), isDry, log });
    log(`${found} ${isDry ? "would be hidden" : "hidden"}`);
    return 0;
  }
  const name = `${command.mint} on chain ${command.chainId}`;
  if (command.name === "unhide") {
    const registrations = await store.unhide(command);
    log(
      registrations === undefined
        ? `${name} was not hidden`
        : `${name} is shown again (${count(registrations)})`,
    );
    return registrations === undefined ? 1 : 0;
  }
  const { outcome, registrations } = await store.hide(command, { reason: command.reason });
  log(
    outcome === "hidden"
      ? `${name} is hidden (${count(registrations)})`
      : `${name} was hidden already${outcome === "reason_changed" ? ", and has a new reason" : ""}`,
  );
  return 0;
}

function count(registrations: number): string {
  return `${registrations} registration${registrations === 1 ? "" : "s"}`;
}

type ApplyOptions = {
  pool: pg.Pool;
  store: Pick<ModerationStore, "hide">;
  list: DenyList;
  /** Whether to only report what would be hidden. */
  isDry: boolean;
  log: (line: string) => void;
};

/** Hides every token whose registration matches the deny list. Resolves to their number. */
async function applyDenyList({ pool, store, list, isDry, log }: ApplyOptions): Promise<number> {
  const found: (TokenKey & { reason: string })[] = [];
  await inSnapshot(pool, async (client) => {
    for await (const { hidden, chainId, mint, ...content } of readRegistrations(client)) {
      const fields = hidden === undefined ? list.deniedIn(content) : [];
      if (fields.length === 0) continue;
      found.push({ chainId, mint, reason: `its ${fields.join(", ")} is on the deny list` });
    }
  });
  for (const { reason, ...token } of found) {
    if (!isDry) await store.hide(token, { reason });
    log(`${token.mint} on chain ${token.chainId}: ${reason}`);
  }
  return found.length;
}
