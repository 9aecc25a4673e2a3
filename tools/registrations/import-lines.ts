import { reasonOf } from "../../config/error-code.ts";
import { readLines } from "../../config/lines.ts";
import type { ModerationStore } from "../../offchain/moderation-store.ts";
import {
  type HiddenRecord,
  parseRecord,
  type RegistrationRecord,
} from "../../offchain/read-registrations.ts";
import { type Decision, decide, type RegistrationStore } from "../../offchain/store.ts";
import { StartError } from "../../runtime/start-error.ts";

/** Lines per transaction. */
const batchSize = 500;

const refusals = {
  already_registered: "is registered already, with other content",
  signature_not_newer:
    "is registered already, with other content that its creator signed at the same time or later",
  hidden:
    "is hidden here, with another registration or none: unhide it first, with npm run moderate -- unhide",
};

type Result = Decision | "hidden";

export type ImportCounts = { created: number; replaced: number; unchanged: number; refused: number };

export type ImportOptions = {
  /** Called for every refused line with its number, starting at 1, and the reason. */
  onRefused: (message: string) => void;
  signal?: AbortSignal;
};

const isRefused = (result: Result | undefined) => result !== "write" && result !== "unchanged";

type Line = { number: number; record: RegistrationRecord };

export type ImportStores = {
  registrations: Pick<RegistrationStore, "writeAll">;
  moderation: Pick<ModerationStore, "hide">;
};

/** Reads the lines of a file or of standard input. Whatever it fails with is the input's fault, unlike what the database fails with. */
export async function* readInput(input: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  try {
    yield* readLines(input);
  } catch (error) {
    throw new StartError(`cannot read ${name}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Imports registrations. A stored one is only replaced if its creator signed the imported one later. Lines that can't be
 * imported are reported and skipped. Throws if the database fails; what was counted by then is stored.
 */
export async function importLines(
  { registrations, moderation }: ImportStores,
  lines: AsyncIterable<string>,
  { onRefused, signal }: ImportOptions,
): Promise<ImportCounts> {
  const counts: ImportCounts = { created: 0, replaced: 0, unchanged: 0, refused: 0 };
  let batch: Line[] = [];
  let number = 0;

  const refuse = (line: number, reason: string) => {
    counts.refused++;
    onRefused(`line ${line}: ${reason}`);
  };

  async function flush(): Promise<void> {
    const results: { line: Line; decision: Result; isNew: boolean }[] = [];
    const writes = batch.map((line) => ({ ...toWrite(line.record), line }));
    const isAccepted = () => !isRefused(results.at(-1)?.decision);
    await registrations.writeAll(
      writes.map(({ token, content, earlier, hide, line }) => ({
        token,
        earlier: () => (isAccepted() ? earlier : []),
        firstAt: () => (isAccepted() ? content.registeredAt : undefined),
        hide: () => (isAccepted() ? hide : undefined),
        decide(existing, hidden) {
          const wanted = decide(existing, content);
          // If the token is hidden both here and in the import, another registration is stored with the hidden ones.
          const isAdditional = hide !== undefined && existing === undefined;
          const decision = hidden !== undefined && wanted === "write" && !isAdditional ? "hidden" : wanted;
          results.push({ line, decision, isNew: existing === undefined });
          if (decision !== "write") return undefined;
          return { ...content, registeredAt: existing?.registeredAt ?? content.registeredAt };
        },
      })),
    );
    for (const { line, decision, isNew } of results) {
      if (decision === "unchanged") counts.unchanged++;
      else if (decision === "write") counts[isNew ? "created" : "replaced"]++;
      else refuse(line.number, `${line.record.mint} on chain ${line.record.chainId} ${refusals[decision]}`);
    }
    batch = [];
  }

  async function hide({ hidden, ...token }: HiddenRecord): Promise<void> {
    const { outcome } = await moderation.hide(token, toHiding(hidden));
    counts[outcome === "hidden" ? "created" : outcome === "unchanged" ? "unchanged" : "replaced"]++;
  }

  for await (const line of lines) {
    signal?.throwIfAborted();
    number++;
    // Also without the byte order mark with which some editors and shells begin a file.
    const text = line.trim();
    if (text === "") continue;
    let record: ReturnType<typeof parseRecord>;
    try {
      record = parseRecord(text);
    } catch (error) {
      refuse(number, (error as Error).message);
      continue;
    }
    if ("name" in record) batch.push({ number, record });
    else await hide(record);
    if (batch.length >= batchSize) await flush();
  }
  if (batch.length > 0) await flush();
  return counts;
}

function toWrite({
  chainId,
  mint,
  name,
  symbol,
  creator,
  burnPercent,
  registeredAt,
  hidden,
  earlier = [],
  ...content
}: RegistrationRecord) {
  return {
    hide: hidden && toHiding(hidden),
    token: { chainId, mint, name, symbol, creator, burnPercent },
    content: { ...content, registeredAt: new Date(registeredAt) },
    earlier: earlier.map((row) => ({ ...row, replacedAt: new Date(row.replacedAt) })),
  };
}

function toHiding({ reason, hiddenAt }: HiddenRecord["hidden"]) {
  return { reason, hiddenAt: new Date(hiddenAt) };
}
