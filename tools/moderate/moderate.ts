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
import { assertDenyList } from "../../runtime/checks/host.ts";
import { StartError } from "../../runtime/start-error.ts";
import { looksOf } from "../../src/domain/look-alike.ts";
import { runTool } from "../run-tool.ts";
import { type ModerateCommand, parseCommand } from "./arguments.ts";

await runTool(async ({ settings, open }) => {
  const indexed = settings.chains.map(({ id }) => id);
  const command = parseCommand(process.argv.slice(2), indexed);
  return await run(command, await open(), settings);
});

/** Runs the command. Resolves to the exit code. */
async function run(command: ModerateCommand, pool: pg.Pool, { moderationFile }: Environment): Promise<0 | 1> {
  const store = createModerationStore(pool);
  if (command.name === "list") {
    const hidden = await store.all();
    for (const { chainId, mint, hiddenAt, reason } of hidden)
      console.log(`${mint} on chain ${chainId} since ${hiddenAt.toISOString()}: ${reason}`);
    console.log(`${hidden.length} hidden`);
    return 0;
  }
  if (command.name === "apply") {
    if (moderationFile === undefined) throw new StartError("MODERATION_FILE names no deny list");
    assertDenyList(moderationFile);
    const { isDry } = command;
    const refused = await applyDenyList({ pool, store, list: readDenyList(moderationFile, looksOf), isDry });
    console.log(`${refused} ${isDry ? "would be hidden" : "hidden"}`);
    return 0;
  }
  const name = `${command.mint} on chain ${command.chainId}`;
  if (command.name === "unhide") {
    const registrations = await store.unhide(command);
    console.log(
      registrations === undefined
        ? `${name} was not hidden`
        : `${name} is shown again (${count(registrations)})`,
    );
    return registrations === undefined ? 1 : 0;
  }
  const { outcome, registrations } = await store.hide(command, { reason: command.reason });
  console.log(
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
};

/** Hides every token whose registration matches the deny list. Resolves to their number. */
async function applyDenyList({ pool, store, list, isDry }: ApplyOptions): Promise<number> {
  const refused: (TokenKey & { reason: string })[] = [];
  await inSnapshot(pool, async (client) => {
    for await (const { hidden, chainId, mint, ...content } of readRegistrations(client)) {
      const fields = hidden === undefined ? list.deniedIn(content) : [];
      if (fields.length === 0) continue;
      refused.push({ chainId, mint, reason: `its ${fields.join(", ")} is on the deny list` });
    }
  });
  for (const { reason, ...token } of refused) {
    if (!isDry) await store.hide(token, { reason });
    console.log(`${token.mint} on chain ${token.chainId}: ${reason}`);
  }
  return refused.length;
}
