import { type Context, ponder } from "ponder:registry";
// Not imported from ponder:schema, whose types are those of the project's own schema.
import { eventCount } from "../ponder.schema.ts";

const events = [
  "TokenFactory:TokenCreated",
  "Launchpad:CurveOpened",
  "Launchpad:Trade",
  "Launchpad:Graduated",
  "LaunchToken:Transfer",
  "DexPair:Sync",
  "DexPair:Swap",
  "DexPair:Mint",
  "DexPair:Burn",
  "DexPair:Transfer",
] as const;

for (const event of events) {
  ponder.on(event, async ({ context }: { context: Context }) => {
    await context.db
      .insert(eventCount)
      .values({ chainId: context.chain.id, event, count: 1 })
      .onConflictDoUpdate((row) => ({ count: row.count + 1 }));
  });
}
