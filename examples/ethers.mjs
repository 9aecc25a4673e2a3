// Buys a token with ethers v6 and the typed client, and reads the event from the receipt.
//
//   npm install ethers@6 http://localhost:42069/client.tgz
//   API_URL=http://localhost:42069 RPC_URL=http://127.0.0.1:8545 PRIVATE_KEY=0x... MINT=0x... node ethers.mjs
import { createLaunchpadClient, dataOf } from "@launchpad-indexer/client";
import { launchpadAbi } from "@launchpad-indexer/client/abis";
import { formatEther, Interface, JsonRpcProvider, parseEther, Wallet } from "ethers";

const { API_URL, RPC_URL, PRIVATE_KEY, MINT } = process.env;
if (!API_URL || !RPC_URL || !PRIVATE_KEY || !MINT) {
  throw new Error("set API_URL, RPC_URL, PRIVATE_KEY and MINT");
}
const launchpad = createLaunchpadClient({ baseUrl: API_URL });
const { chain, contracts } = await dataOf(launchpad.api.GET("/api"));
const provider = new JsonRpcProvider(RPC_URL, chain.id);
const wallet = new Wallet(PRIVATE_KEY, provider);

const order = { side: "buy", amount: String(parseEther("0.001")), account: wallet.address };
const { quote, calls } = await launchpad.quote(MINT, order);
console.log(`0.001 BNB buys ${formatEther(quote.amountOutRaw)} tokens`);

// A sell of tokens that aren't approved has two calls: wait for each before the next.
for (const { gas, ...call } of calls()) {
  // The API says gas, as JSON-RPC and viem do; ethers says gasLimit and ignores gas. Without a limit it estimates, which is too little for a
  // buy that graduates the token because another one came first.
  const sent = await wallet.sendTransaction({ ...call, gasLimit: gas });
  // Throws if it reverts.
  const receipt = await sent.wait();
  for (const log of receipt.logs) {
    if (log.address.toLowerCase() !== contracts.launchpad.toLowerCase()) continue;
    const event = new Interface(launchpadAbi).parseLog(log);
    if (event?.name === "Trade") console.log(`bought ${formatEther(event.args.tokenAmount)} tokens`);
  }
}
