import { type Decision, decide } from "../../offchain/decide.ts";
import { parseRecord, type RegistrationRecord } from "../../offchain/record.ts";
import type { RegistrationStore } from "../../offchain/store.ts";

/** Lines per transaction. */
const batchSize = 500;

const refusals = {
  already_registered: "is registered already, with other content",
  signature_not_newer:
    "is registered already, with other content that its creator signed at the same time or later",
};

export type ImportCounts = { created: number; replaced: number; unchanged: number; refused: number };

export type ImportOptions = {
  /** Called for every refused line with its number, from 1, and the reason. */
  onRefused: (message: string) => void;
  signal?: AbortSignal;
};

type Line = { number: number; record: RegistrationRecord };

/**
 * Imports registrations. Stored ones stay, unless their creator signed the imported one later. Lines that can't be imported are
 * reported and skipped. Throws if the database fails; what was counted by then is stored.
 */
export async function importLines(
  store: Pick<RegistrationStore, "writeAll">,
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
    const results: { line: Line; decision: Decision; isNew: boolean }[] = [];
    const writes = batch.map((line) => ({ ...toWrite(line.record), line }));
    await store.writeAll(
      writes.map(({ token, content, line }) => ({
        token,
        decide(existing) {
          const decision = decide(existing, content);
          results.push({ line, decision, isNew: existing === undefined });
          return decision === "write" ? content : undefined;
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

  for await (const line of lines) {
    signal?.throwIfAborted();
    number++;
    if (line.trim() === "") continue;
    try {
      batch.push({ number, record: parseRecord(line) });
    } catch (error) {
      refuse(number, (error as Error).message);
    }
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
  ...content
}: RegistrationRecord) {
  return {
    token: { chainId, mint, name, symbol, creator, burnPercent },
    content: { ...content, registeredAt: new Date(registeredAt) },
  };
}
