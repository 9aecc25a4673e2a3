import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { createRegistrationStore } from "../../offchain/store.ts";
import { addressOf } from "./seed/addresses.ts";
import { chainId, checkpoint, unsafeBlocks } from "./seed/size.ts";
import { writeToken, writeTrades } from "./written-rows.ts";

/** A block is written this often. */
const periodMs = 1_000;
const tradedPerBlock = 5;
/** New tokens are numbered from here, beyond the seeded ones. */
const firstNewNumber = 1_000_000_000;

export type Writer = { stop(): Promise<{ blocks: number }> };

/**
 * Changes the database once a second as a live chain would: it writes a block with trades and a new token in one transaction, as
 * Ponder does, and then registers the token with the service's own code.
 *
 * @param createdTokens how many tokens were seeded
 */
export async function startWriter(databaseUrl: string, createdTokens: number): Promise<Writer> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, application_name: "bench_writer" });
  const store = createRegistrationStore(pool);
  const stopping = new AbortController();
  const { rows } = await pool.query<{ latest: string }>(
    "select latest_checkpoint as latest from onchain._ponder_checkpoint",
  );
  const latest = rows[0]?.latest ?? "";
  let time = Number(latest.slice(0, 10));
  let block = Number(latest.slice(26, 42));
  let blocks = 0;

  async function writeBlock(): Promise<void> {
    time++;
    block++;
    const token = {
      chainId,
      mint: addressOf("token", firstNewNumber + block),
      name: `Brand New ${block}`,
      symbol: "NEW",
      creator: addressOf("creator", firstNewNumber + (block % 50)),
      burnPercent: 30 + (block % 41),
    };
    // Spread over all seeded tokens.
    const traded = Array.from({ length: tradedPerBlock }, (_, index) =>
      addressOf("token", (block * 7_919 + index * 104_729) % createdTokens),
    );
    const client = await pool.connect();
    try {
      await client.query("begin");
      await writeToken(client, { ...token, block, time, like: traded[0] ?? "" });
      await writeTrades(client, { block, time, traded });
      const safe = checkpoint(time - unsafeBlocks, block - unsafeBlocks);
      await client.query(
        `update onchain._ponder_checkpoint
         set latest_checkpoint = $1, safe_checkpoint = $2, finalized_checkpoint = $2`,
        [checkpoint(time, block), safe],
      );
      await client.query("commit");
    } finally {
      client.release();
    }
    await store.write(token, () => ({
      description: "A community that began a moment ago",
      imageUrl: null,
      twitterUrl: null,
      telegramUrl: null,
      websiteUrl: null,
      launchpadAddress: null,
      verified: false,
      registeredBy: null,
      signature: null,
      issuedAt: null,
    }));
    blocks++;
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      const next = performance.now() + periodMs;
      await writeBlock();
      await delay(Math.max(0, next - performance.now()), undefined, { signal: stopping.signal }).catch(
        endPause,
      );
    }
  })();
  running.catch(reportedByStop);

  return {
    async stop() {
      stopping.abort();
      await running.finally(() => pool.end());
      return { blocks };
    },
  };
}

/** An abort ends the pause early; the loop checks for it. */
const endPause = () => {};
/** Prevents an unhandled rejection: stop() rejects with the error. */
const reportedByStop = () => {};
