// Launches a token, from reading the manifest to its graduation, with viem and the typed client.
//
//   API_URL=http://localhost:42069 RPC_URL=http://127.0.0.1:8545 PRIVATE_KEY=0x... npx node examples/launch-token.mjs
import { createPublicClient, createWalletClient, defineChain, formatEther, http, parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";
// Outside of this repository, import it from "@launchpad-indexer/client", after npm install $API_URL/client.tgz.
import { createLaunchpadClient, dataOf } from "../client/src/index.ts";

const { API_URL, RPC_URL, PRIVATE_KEY, NAME = "Example Otter", SYMBOL = "OTTER" } = process.env;
if (!API_URL || !RPC_URL || !PRIVATE_KEY) throw new Error("set API_URL, RPC_URL and PRIVATE_KEY");
const burnPercent = 50;
const smiley =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX/1lAUWqABtorCAAAAFUlEQVQI12OwYXBiWMrQCMQzgSwbABsQA2Fc7w7kAAAAAElFTkSuQmCC";
const launchpad = createLaunchpadClient({ baseUrl: API_URL });
const { api } = launchpad;

// 1. Is the service up? If not, this throws.
await api.GET("/api/health");

// 2. The manifest has the chain, the contracts and their ABIs. Transactions are returned ready to sign: nothing is hard-coded.
const { chain } = await dataOf(api.GET("/api"));

const account = privateKeyToAccount(PRIVATE_KEY);
const options = {
  chain: defineChain({
    id: chain.id,
    name: chain.name,
    nativeCurrency: { name: "BNB", symbol: "BNB", decimals: 18 },
    rpcUrls: { default: { http: [RPC_URL] } },
  }),
  transport: http(RPC_URL),
  pollingInterval: 500,
};
const reader = createPublicClient(options);
const wallet = createWalletClient({ ...options, account });

// 3. Create the token on the chain, at an address that ends in 5afe: the mint. Its salt is bound to the account, so nobody can take it, and nobody
// can buy before a buy in the same transaction.
const salted = { name: NAME, symbol: SYMBOL };
const { salt, address: mint } = await dataOf(
  api.GET("/api/tokens/vanity-salt", { params: { query: { ...salted, creator: account.address } } }),
);
const terms = { ...salted, salt, burnPercent, amount: String(parseEther("0.001")) };
const first = await dataOf(api.GET("/api/first-buy/quote", { params: { query: terms } }));
const { to, data, value, gas } = first.transaction;
const created = await mined(wallet.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gas) }));
console.log(
  `created ${NAME} (${SYMBOL}) with a first buy of ${formatEther(BigInt(first.amountOutRaw))} tokens at ${mint}`,
);

// 4. Upload an image: any PNG, JPEG, GIF, WebP or AVIF of up to 5 MB.
const image = await launchpad.uploadImage(new Blob([Buffer.from(smiley, "base64")]), "smiley.png");

// 5. Register the token, as soon as it is mined: the service checks it against the chain.
const registration = {
  mint,
  name: NAME,
  symbol: SYMBOL,
  creator: account.address,
  burnPercent,
  description: "Launched by a script of a hundred lines.",
  imageUrl: image.url,
  websiteUrl: "https://otter.example/",
};
const entry = await dataOf(api.POST("/api/tokens", { body: registration }));
console.log(`registered at ${entry.registeredAt}`);

// 6. Wait until the token is indexed, then buy until it graduates. 0.05 BNB is enough; the excess is refunded.
await launchpad.token(mint, { minBlock: Number(created.blockNumber) });
const watched = launchpad.watchToken(mint);
await watched.next();
const amount = String(parseEther("0.06"));
const { quote, calls } = await launchpad.quote(mint, { side: "buy", amount, account: account.address });
for (const call of calls()) await mined(wallet.sendTransaction(call));
console.log(`bought ${formatEther(quote.amountOutRaw)} tokens`);

// 7. Watch the token.
for await (const { token } of watched) {
  console.log(`progress ${token.progress} %`);
  if (!token.graduated) continue;
  const { image: picture } = await dataOf(api.GET("/api/metadata/{mint}", { params: { path: { mint } } }));
  console.log(
    `graduated: pair ${token.pair}, ${token.priceBnb} BNB a token, ${token.holderCount} holder, image ${picture}`,
  );
  break;
}

/** Waits for the receipt of a transaction, and returns it. */
async function mined(sent) {
  const hash = await sent;
  const receipt = await reader.waitForTransactionReceipt({ hash });
  if (receipt.status !== "success") throw new Error(`reverted: ${hash}`);
  return receipt;
}
