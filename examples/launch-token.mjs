// Launches a token: from the manifest to a graduated token, with viem and fetch alone.
//
//   API_URL=http://localhost:42069 RPC_URL=http://127.0.0.1:8545 PRIVATE_KEY=0x... node launch-token.mjs
import { createPublicClient, createWalletClient, defineChain, formatEther, http, parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const { API_URL, RPC_URL, PRIVATE_KEY, NAME = "Example Otter", SYMBOL = "OTTER" } = process.env;
if (!API_URL || !RPC_URL || !PRIVATE_KEY) throw new Error("set API_URL, RPC_URL and PRIVATE_KEY");
const burnPercent = 50;
const smiley =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX/1lAUWqABtorCAAAAFUlEQVQI12OwYXBiWMrQCMQzgSwbABsQA2Fc7w7kAAAAAElFTkSuQmCC";

// 1. Is the service up?
const health = await request("/api/health");
if (!health.ok) throw new Error("the service is down");

// 2. The manifest has the chain, the contracts and their ABIs: nothing is hard-coded.
const { chain, contracts } = await request("/api");
const { tokenFactory, tokenFactoryAbi, launchpad, launchpadAbi } = contracts;

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

// 3. Create the token on the chain, at an address that ends in 5afe: the mint.
const salted = new URLSearchParams({ name: NAME, symbol: SYMBOL });
const { salt, address: mint } = await request(`/api/tokens/vanity-salt?${salted}`);
await send(tokenFactory, tokenFactoryAbi, "createTokenWithSalt", [NAME, SYMBOL, burnPercent, salt]);
console.log(`created ${NAME} (${SYMBOL}) at ${mint}`);

// 4. Upload an image: any PNG, JPEG, GIF, WebP or AVIF of up to 5 MB.
const form = new FormData();
form.set("file", new Blob([Buffer.from(smiley, "base64")]), "smiley.png");
const image = await request("/api/upload-image", form);

// 5. Register the token, as soon as it is mined: the service checks it against the chain.
const entry = await request("/api/tokens", {
  mint,
  name: NAME,
  symbol: SYMBOL,
  creator: account.address,
  burnPercent,
  description: "Launched by a script of a hundred lines.",
  imageUrl: image.url,
  websiteUrl: "https://otter.example/",
});
console.log(`registered at ${entry.registeredAt}`);

// 6. Buy until it graduates. 0.05 BNB is enough; what is too much comes back.
const value = parseEther("0.06");
const deadline = BigInt(Math.floor(Date.now() / 1000) + 600);
const buy = { account, address: launchpad, abi: launchpadAbi, functionName: "buy", value };
const { result: tokens } = await reader.simulateContract({ ...buy, args: [mint, 0n, deadline] });
await send(launchpad, launchpadAbi, "buy", [mint, (tokens * 99n) / 100n, deadline], value);
console.log(`bought ${formatEther(tokens)} tokens`);

// 7. Watch the curve.
for (;;) {
  const { curves } = await request(`/api/curves?mints=${mint}`);
  const curve = curves[mint];
  if (curve?.graduated) break;
  console.log(curve === undefined ? "not indexed yet" : `progress ${curve.progress} %`);
  await new Promise((resolve) => setTimeout(resolve, 500));
}
const metadata = await request(`/api/metadata/${mint}`);
const { pair, priceBnb } = await request(`/api/curve/${mint}`);
const { holderCount } = await request(`/api/token/${mint}/holders`);
console.log(
  `graduated: pair ${pair}, ${priceBnb} BNB a token, ${holderCount} holder, image ${metadata.image}`,
);

/** Sends a transaction and waits for its receipt. The limit leaves room for a buy that also opens the DEX market. */
async function send(address, abi, functionName, args, value) {
  const gas = functionName === "buy" ? 400_000n : undefined;
  const hash = await wallet.writeContract({ address, abi, functionName, args, value, gas });
  const receipt = await reader.waitForTransactionReceipt({ hash });
  if (receipt.status !== "success") throw new Error(`${functionName} reverted: ${hash}`);
  return receipt;
}

/** Asks the API: GET, or POST of JSON or a form. Tries again when it asks for patience (429, 503); throws what it says otherwise. */
async function request(path, body) {
  const isForm = body instanceof FormData;
  for (;;) {
    const response = await fetch(new URL(path, API_URL), {
      method: body === undefined ? "GET" : "POST",
      headers: isForm ? {} : { "content-type": "application/json" },
      body: isForm ? body : JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    const wait = response.headers.get("retry-after");
    if (wait === null) throw new Error(`${path}: ${answer.code}: ${answer.detail}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(wait)));
  }
}
