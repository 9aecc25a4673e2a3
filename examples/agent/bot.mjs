// Trades by itself for some minutes: buys what gains momentum, new tokens that nothing speaks against, and what another account buys; takes
// profits, and limits losses. It needs the base URL of a service, an RPC endpoint and a key, and begins with a wallet without positions or with
// those of its last run. An example, no advice: on a real chain it can lose all that it stakes.
//
//   API_URL=http://localhost:42069 RPC_URL=http://127.0.0.1:8545 PRIVATE_KEY=0x... npx node examples/agent/bot.mjs
//   MINUTES=10 STAKE_BNB=0.002 MAX_POSITIONS=3 SNIPE=off FOLLOW=0x... npx node examples/agent/bot.mjs
import { parseEther } from "viem";
import { createLaunchpadClient, dataOf, LaunchpadError } from "../../client/src/index.ts";
import { dangerOf, exitReason, momentumReason, rules } from "./rules.mjs";
import { createTrader } from "./trader.mjs";

const { API_URL, RPC_URL, PRIVATE_KEY, FOLLOW, MINUTES = "10", SNIPE = "on" } = process.env;
const { STAKE_BNB = "0.002", MAX_POSITIONS = "3" } = process.env;
if (!API_URL || !RPC_URL || !PRIVATE_KEY) throw new Error("set API_URL, RPC_URL and PRIVATE_KEY");
const stake = parseEther(STAKE_BNB);
const pollMs = 3_000;

const log = (text) => console.log(`${new Date().toISOString()} ${text}`);
const launchpad = createLaunchpadClient({ baseUrl: API_URL });
const trader = await createTrader({ launchpad, rpcUrl: RPC_URL, privateKey: PRIVATE_KEY, rules, log });
const stopped = new AbortController();
const signal = AbortSignal.any([AbortSignal.timeout(Number(MINUTES) * 60_000), stopped.signal]);
/** When each token was bought, or a purchase was sent whose outcome is not known. Nothing is bought twice. */
const boughtAt = new Map();
/** Why tokens were left alone, to say it once. */
const leftAlone = new Map();

/** Buys a token once, if there is room for it and nothing speaks against it, by its risk and its creator's record. */
async function consider(mint, reason, known) {
  if (boughtAt.has(mint)) return;
  const why = dangerOf(known ?? (await launchpad.token(mint)));
  if (why !== undefined && leftAlone.get(mint) !== why) log(`left ${mint} alone: ${why}`);
  leftAlone.set(mint, why);
  if (why !== undefined) return;
  const isWanted = (positions) =>
    !signal.aborted && !boughtAt.has(mint) && positions.length < Number(MAX_POSITIONS);
  let isSent = false;
  const onSend = () => {
    isSent = true;
    // Before it is known: without a receipt in time this throws, and the purchase may be mined later.
    boughtAt.set(mint, Date.now());
  };
  const isBought = await trader.buy(mint, stake, reason, { isWanted, onSend });
  // It reverted.
  if (isSent && !isBought) boughtAt.delete(mint);
}

/** Buys what several accounts are buying. */
async function followMomentum() {
  for (;;) {
    const query = { sort: "trending", limit: 20, selfGraduated: "false" };
    const { tokens } = await dataOf(launchpad.api.GET("/api/tokens", { params: { query } }));
    for (const token of tokens) {
      const reason = momentumReason(token);
      if (reason !== undefined) await consider(token.mint, reason, token);
    }
    await pause();
  }
}

/** Buys tokens as they are created. */
async function snipe() {
  const onReady = () => log("watches for new tokens");
  for await (const event of launchpad.stream({ kind: ["created"], signal, onReady })) {
    if (!event.removed) await consider(event.mint, "new", event);
  }
}

/** Does what another account does. */
async function copyTrades(account) {
  const onReady = () => log(`follows ${account}`);
  for await (const event of launchpad.stream({ trader: [account], signal, onReady })) {
    // A reorg took it back. What was bought because of it is a position like any other.
    if (event.removed) continue;
    if (event.side === "buy") await consider(event.mint, `${account} bought`);
    else if (boughtAt.has(event.mint)) await trader.sell(event.mint, `${account} sold`);
  }
}

/** Sells what has gained or lost enough, or was held long enough. */
async function watchPositions() {
  for (;;) {
    for (const position of await trader.positions()) {
      if (!boughtAt.has(position.mint)) boughtAt.set(position.mint, Date.now());
      const heldMinutes = (Date.now() - boughtAt.get(position.mint)) / 60_000;
      const reason = exitReason(position, heldMinutes);
      if (reason !== undefined) await trader.sell(position.mint, reason);
    }
    await pause();
  }
}

/** Waits until it is time to look again. Throws when the run ends. */
async function pause() {
  await new Promise((resolve) => setTimeout(resolve, pollMs));
  signal.throwIfAborted();
}

/** Repeats a part of the bot after a failure, such as a quote that has become invalid or a service that restarts. */
async function keepDoing(work) {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      // Asked in the wrong way, which won't be right the next time.
      if (error instanceof LaunchpadError && error.status === 400) throw error;
      log(`failed, and goes on: ${error.message}`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}

/** Sells all positions, in a minute at most: the service may be restarting just now. */
async function sellAll() {
  for (const retryUntil = Date.now() + 60_000; ; ) {
    try {
      for (const { mint } of await trader.positions()) await trader.sell(mint, "the end of the run");
      return;
    } catch (error) {
      if (Date.now() > retryUntil) throw error;
      log(`failed, and tries again: ${error.message}`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}

process.once("SIGINT", () => stopped.abort());
log(`trades as ${trader.address} for ${MINUTES} minutes`);
await Promise.all([
  keepDoing(followMomentum),
  keepDoing(watchPositions),
  ...(SNIPE === "on" ? [keepDoing(snipe)] : []),
  ...(FOLLOW ? [keepDoing(() => copyTrades(FOLLOW))] : []),
]);

await sellAll();
const totals = await trader.totals();
log(`${totals.buys} buys and ${totals.sells} sells so far, realised ${totals.realisedBnb} BNB without gas`);
