import { createPublicClient, createWalletClient, defineChain, formatEther, http, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
// Outside of this repository, import it from "@launchpad-indexer/client", after npm install $API_URL/client.tgz.
import { dataOf, findContradiction } from "../../client/src/index.ts";

/**
 * A wallet that trades by the API's quotes, one trade at a time. It signs nothing that differs from what it asked for.
 *
 * @param {{ launchpad: import("../../client/src/index.ts").LaunchpadClient, rpcUrl: string, privateKey: `0x${string}`, rules: typeof import("./rules.mjs").rules, log: (text: string) => void }} options
 */
export async function createTrader({ launchpad, rpcUrl, privateKey, rules, log }) {
  const { chain: described, contracts } = await dataOf(launchpad.api.GET("/api"));
  const chain = defineChain({
    id: described.id,
    name: described.name,
    nativeCurrency: { name: "BNB", symbol: "BNB", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const account = privateKeyToAccount(privateKey);
  const options = { chain, transport: http(rpcUrl), pollingInterval: 500 };
  const reader = createPublicClient(options);
  const wallet = createWalletClient({ ...options, account });
  const router = await reader.readContract({
    address: contracts.launchpad,
    abi: parseAbi(["function router() view returns (address)"]),
    functionName: "router",
  });
  // With real money, write the launchpad's address here: then a service that lies can't make the agent sign a call of another contract.
  const checked = { chainId: chain.id, launchpad: contracts.launchpad, router };
  /** The block of the last transaction: what is read from the API has to reflect it. */
  let lastBlock = 0;
  let turn = Promise.resolve();

  /**
   * Sends what a quote says, if the quote is as asked. Returns the quote; undefined if it is no good, or the price has moved. Calls `onSend`
   * before anything is sent: if this throws afterwards, the trade may still be made.
   */
  async function trade(mint, side, amount, onSend = () => {}) {
    const { slippagePercent } = rules;
    const { quote, calls } = await launchpad.quote(mint, {
      side,
      amount: String(amount),
      account: account.address,
      slippage: slippagePercent,
      simulation: "true",
      minBlock: lastBlock,
    });
    const asked = { mint, side, amountIn: BigInt(amount), account: account.address, slippagePercent };
    const contradiction = findContradiction(quote, asked, checked);
    if (contradiction !== undefined) throw new Error(`the quote has ${contradiction}`);
    // A sale may need its approval first, which is one of the calls.
    const problem = quote.warnings.find(({ code }) => code !== "allowance_too_low");
    if (problem !== undefined) return void log(`no ${side} of ${mint}: ${problem.message}`);
    if (quote.simulation?.outcome === "reverts") {
      return void log(`no ${side} of ${mint}: it would revert with ${quote.simulation.reason}`);
    }
    if (side === "buy" && quote.priceImpactPercent > rules.maxPriceImpactPercent) {
      return void log(`no buy of ${mint}: it would move the price by ${quote.priceImpactPercent} %`);
    }
    for (const call of calls()) {
      onSend();
      const hash = await wallet.sendTransaction(call);
      const receipt = await reader.waitForTransactionReceipt({ hash });
      lastBlock = Math.max(lastBlock, Number(receipt.blockNumber));
      if (receipt.status === "success") continue;
      const params = { path: { hash } };
      const { revertReason } = await dataOf(launchpad.api.GET("/api/transaction/{hash}", { params }));
      return void log(`the ${side} of ${mint} reverted: ${revertReason ?? hash}`);
    }
    return quote;
  }

  /** Trades one after the other: two at a time would use the same nonce, and the second would not know of the first. */
  function inTurn(work) {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  }

  /** The open positions, with their cost and what selling each would bring. */
  async function positions() {
    const open = [];
    for await (const position of launchpad.positions(account.address, { minBlock: lastBlock })) {
      // A few base units, which anyone can send, bring nothing: a quote for them is refused.
      if (BigInt(position.openTokensRaw) > 0n && position.exitBnb !== "0") open.push(position);
    }
    return open;
  }

  return {
    address: account.address,
    positions,
    /** What the account has bought, sold and realised, its last transaction included. */
    async totals() {
      const params = { path: { address: account.address }, query: { minBlock: lastBlock } };
      return (await dataOf(launchpad.api.GET("/api/account/{address}", { params }))).totals;
    },
    /** Buys for so many wei, unless `isWanted` says otherwise when it is its turn. Resolves to whether it did. `onSend`: as for a trade. */
    buy: (mint, wei, reason, { isWanted, onSend }) =>
      inTurn(async () => {
        if (!isWanted(await positions())) return false;
        if ((await trade(mint, "buy", wei, onSend)) === undefined) return false;
        log(`bought ${mint} for ${formatEther(wei)} BNB: ${reason}`);
        return true;
      }),
    /** Sells all that the wallet has of a token. Resolves to whether it did. */
    sell: (mint, reason) =>
      inTurn(async () => {
        const position = (await positions()).find((each) => each.mint === mint);
        if (position === undefined) return false;
        const quote = await trade(mint, "sell", position.openTokensRaw);
        if (quote === undefined) return false;
        log(`sold ${mint} for about ${formatEther(BigInt(quote.amountOutWei))} BNB: ${reason}`);
        return true;
      }),
  };
}
