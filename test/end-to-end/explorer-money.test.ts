import type { Page } from "playwright-core";
import { type Address, formatEther, numberToHex, parseEther } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import type { Quote } from "../../client/src/index.ts";
import { type Explorer, openExplorer, retried } from "../browser/explorer.ts";
import { injectWallet, type TestWallet } from "../browser/wallet.ts";
import { graduatingAmount } from "../chain/launchpad-chain.ts";
import { onlyInLongRun, sized } from "../run/long-run.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* What keeps the explorer from making anyone pay more, or for something else, than they mean. */

let shared: SharedService;
let explorer: Explorer;
let page: Page;
let wallet: TestWallet;
let owner: Address;
/** A token on the curve and one on the DEX; the owner holds some of both. */
let curve: Address;
let listed: Address;

beforeAll(async () => {
  shared = await sharedService();
  const { chain } = shared;
  owner = chain.traders[2];
  curve = await chain.create(owner, "Money Otter", "MOTTER");
  listed = await chain.create(owner, "Money Badger", "MBADGER");
  await chain.buy(owner, curve, parseEther("0.002"));
  await chain.buy(owner, listed, graduatingAmount);
  await shared.service.indexer.untilIndexed(56, await chain.head());
  explorer = await openExplorer(shared.service.indexer.url);
  page = await explorer.open("about:blank");
  wallet = await injectWallet(page, { rpcUrl: chain.rpcUrl, account: owner });
});

afterEach(() => page.unrouteAll({ behavior: "wait" }));
afterAll(() => explorer?.close());

const main = () => page.getByRole("main");
const button = (name: string) => main().getByRole("button", { name, exact: true });
const field = () => main().locator("#trade-amount");
const status = () => main().locator(".status");

/** Waits until a trade has ended, so that one that failed says why. */
async function untilDone(text: RegExp): Promise<void> {
  const ended = main().locator(".status.is-done, .status.is-failed");
  await ended.waitFor();
  expect(await ended.innerText()).toMatch(text);
}

const values = () => wallet.sent.map(({ value }) => BigInt(value));

async function arrive(path: string): Promise<void> {
  await explorer.revisit(page, path);
  wallet.reset();
  await wallet.connect();
}

const side = (name: "Buy" | "Sell") => main().getByRole("radio", { name, exact: true }).check();

test("a comma typed by hand is the decimal separator, and the wallet is asked for what the page says it understood", async () => {
  await arrive(`/token/${listed}`);
  await field().pressSequentially("0,001");
  await main().getByText("= 0.001 BNB").waitFor();
  await button("Buy").click();
  await untilDone(/^Bought /);
  expect(values()).toEqual([parseEther("0.001")]);
});

onlyInLongRun(() => {
  test("one comma with three digits after it is shown as the decimals that it is, with its value", async () => {
    await page.route(`**/api/token/${listed.toLowerCase()}*`, async (route) => {
      const response = await route.fetch(retried);
      const token = await response.json();
      await route.fulfill({ response, json: { ...token, priceUsd: String(600 * Number(token.priceBnb)) } });
    });
    await arrive(`/token/${listed}`);
    await field().fill("1,234");
    await main().getByText("= 1.234 BNB ≈ $740.40").waitFor();
  });
});

test.each(["1,234.5", "1.234,5", "1.234.567", "1 000", "1e5", "-1", "0.01 BNB", "１２", "٠٫١"])(
  "%s is refused with a message, and can't be sent",
  async (text) => {
    if (!page.url().includes(curve)) await arrive(`/token/${curve}`);
    await field().fill(text);
    await main().getByRole("alert").getByText("Enter").waitFor();
    expect(await button("Buy").isDisabled()).toBe(true);
  },
);

test("every amount that the page fills in is what it then sends", async () => {
  await arrive(`/token/${curve}`);
  await side("Sell");
  await main().getByRole("button", { name: "25%" }).click();
  const held = await shared.chain.balanceOf(curve, owner);
  const typed = await field().inputValue();
  expect(parseEther(typed)).toBe(held / 4n);
  await main().getByText(`= ${typed}`).waitFor();
  await main().getByText("Your wallet will ask twice").waitFor();
  await button("Sell").click();
  await untilDone(/^Sold /);
  expect(await shared.chain.balanceOf(curve, owner)).toBe(held - held / 4n);
});

const selectors = () => wallet.sent.map(({ data }) => data.slice(0, 10));
const [approve, sell, sellWithPermit] = ["0x095ea7b3", "0x92cdbac5", "0x4c33aa2e"];
const signed = () => wallet.asked.filter((method) => method === "eth_signTypedData_v4").length;

/** Sells a tenth of what the owner holds on the curve. */
async function sellTenth(): Promise<bigint> {
  const amount = (await shared.chain.balanceOf(curve, owner)) / 10n;
  await side("Sell");
  await field().fill(formatEther(amount));
  await button("Sell").click();
  return amount;
}

test("a sale on the curve is one signature and one transaction", async () => {
  const held = await shared.chain.balanceOf(curve, owner);
  // What the service says about the permit, but for its nonce, is not what is signed.
  await alterQuote(({ permit }) => {
    if (permit === null) return;
    Object.assign(permit.message, { spender: other, value: String(2n ** 255n), deadline: String(2n ** 64n) });
    permit.domain.verifyingContract = other;
  });
  const delegated = `0xef0100${"11".repeat(20)}`;
  for (const code of sized({ usual: ["0x"], long: ["0x", delegated] })) {
    await arrive(`/token/${curve}`);
    wallet.haveCode(code);
    await sellTenth();
    await untilDone(/^Sold /);
    expect([signed(), selectors()]).toEqual([1, [sellWithPermit]]);
    await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  }
  const { launchpad } = shared.chain.deployment;
  expect(await shared.chain.balanceOf(curve, owner)).toBeLessThan(held);
  const read = { address: curve, abi: launchTokenAbi, functionName: "allowance" } as const;
  expect(await shared.chain.publicClient.readContract({ ...read, args: [owner, launchpad] })).toBe(0n);
});

const withoutPermit: [string, number, () => void][] = [
  ["a wallet that doesn't sign typed data", 1, () => wallet.refuseTypedData()],
  ["a contract", 0, () => wallet.haveCode("0x6001")],
];

onlyInLongRun(() => {
  test.each(withoutPermit)(
    "with %s, a sale is an approval and a transaction",
    async (_, signatures, prepare) => {
      await arrive(`/token/${curve}`);
      prepare();
      await sellTenth();
      await untilDone(/^Sold /);
      expect([signed(), selectors()]).toEqual([signatures, [approve, sell]]);
      await shared.service.indexer.untilIndexed(56, await shared.chain.head());
    },
  );

  test("a quote that arrives doesn't move the button, which somebody may be clicking", async () => {
    const isShown = Promise.withResolvers<void>();
    await page.route(/\/quote\?/, async (route) => {
      await isShown.promise;
      await route.continue();
    });
    await arrive(`/token/${curve}`);
    await side("Sell");
    await field().fill("1000");
    await main().getByText("= 1000 MOTTER").waitFor();
    const before = await button("Sell").boundingBox();
    isShown.resolve();
    await main().getByText("You receive").waitFor();
    expect(before).not.toBeNull();
    expect(await button("Sell").boundingBox()).toEqual(before);
  });

  test("whoever rejects the signature for a sale is asked for nothing else", async () => {
    await arrive(`/token/${curve}`);
    wallet.reject(true);
    await sellTenth();
    await status().getByText("You rejected it in your wallet. Nothing was sent.").waitFor();
    expect([signed(), wallet.sent]).toEqual([1, []]);
  });
});

test("from 15 % price impact on, a buy and a sale need a second confirmation that names the loss", async () => {
  await arrive(`/token/${listed}`);
  await field().fill("0,2");
  // A double click confirms nothing.
  await button("Buy").dblclick();
  const buyAnyway = main().getByRole("button", { name: /^Buy and lose about 0\.1\d+ BNB$/ });
  await buyAnyway.waitFor();
  await main()
    .getByText(/You lose about 0\.1\d+ BNB/)
    .waitFor();
  await button("Cancel").click();
  await button("Buy").waitFor();
  expect(wallet.sent).toEqual([]);
  await field().press("Enter");
  await field().press("Enter");
  await buyAnyway.click();
  await untilDone(/^Bought /);
  expect(values()).toEqual([parseEther("0.2")]);

  // A confirmation ends when the price moves, and here it does when the page hears of the buy.
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  await arrive(`/token/${listed}`);
  await side("Sell");
  await main().getByRole("button", { name: "50%" }).click();
  await button("Sell").click();
  await main()
    .getByRole("button", { name: /^Sell and lose about/ })
    .click();
  await untilDone(/^Sold /);
});

test("a price impact that the service keeps quiet about is noticed", async () => {
  // The page compares with the price that it knows, which must be the one after the last trade.
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  await alterQuote((quote) => {
    quote.priceImpactPercent = 0;
  });
  await arrive(`/token/${listed}`);
  await field().fill("1");
  await button("Buy").click();
  await main()
    .getByRole("button", { name: /^Buy and lose about 0\.\d+ BNB$/ })
    .waitFor();
  expect(wallet.sent).toEqual([]);
});

/** Alters each quote on its way to the page. */
const alterQuote = (change: (quote: Quote) => void) =>
  page.route(/\/quote\?/, async (route) => {
    const response = await route.fetch(retried);
    const quote = await response.json();
    if (quote.transaction) change(quote);
    await route.fulfill({ response, json: quote });
  });

type Sendable = NonNullable<Quote["transaction"]>;
const other = `0x${"66".repeat(20)}`;
const word = (value: string | bigint) => BigInt(value).toString(16).padStart(64, "0");

/** Replaces a transaction's call data, in both of its forms. */
const setData = (sent: Sendable, data: string) => Object.assign(sent, { data, rpc: { ...sent.rpc, data } });
const setTo = (sent: Sendable, to: string) => Object.assign(sent, { to, rpc: { ...sent.rpc, to } });
const setWord = (sent: Sendable, at: number, value: string | bigint) => {
  const start = 10 + 64 * at;
  setData(sent, sent.data.slice(0, start) + word(value) + sent.data.slice(start + 64));
};
const setValue = (sent: Sendable, value: bigint) =>
  Object.assign(sent, { value: String(value), rpc: { ...sent.rpc, value: numberToHex(value) } });

type Alteration = [
  what: string,
  trade: "buy" | "sell",
  venue: "curve" | "dex",
  change: (sent: Sendable, quote: Quote) => void,
];

const alterations: Alteration[] = [
  [
    "another chain",
    "buy",
    "curve",
    (sent) => Object.assign(sent, { chainId: 97, rpc: { ...sent.rpc, chainId: "0x61" } }),
  ],
  ["another contract", "buy", "curve", (sent) => setTo(sent, other)],
  ["another router", "buy", "dex", (sent) => setTo(sent, other)],
  ["another token", "buy", "curve", (sent) => setWord(sent, 0, other)],
  ["another token on the DEX", "buy", "dex", (sent) => setWord(sent, 6, other)],
  ["a hundred times the BNB", "buy", "curve", (sent) => setValue(sent, parseEther("0.1"))],
  ["another amount of tokens", "sell", "curve", (sent) => setWord(sent, 1, 2n ** 80n)],
  ["another recipient of a buy", "buy", "dex", (sent) => setWord(sent, 2, other)],
  ["another recipient of a sale", "sell", "dex", (sent) => setWord(sent, 3, other)],
  ["no minimum", "buy", "curve", (sent) => setWord(sent, 1, 0n)],
  [
    "a minimum below the slippage, in all places",
    "buy",
    "curve",
    (sent, quote) => {
      quote.minAmountOutRaw = String(BigInt(quote.amountOutRaw ?? 0) / 2n);
      setWord(sent, 1, quote.minAmountOutRaw);
    },
  ],
  [
    "a deadline in the far future, in all places",
    "buy",
    "curve",
    (sent, quote) => {
      quote.deadline = 9_999_999_999;
      setWord(sent, 2, 9_999_999_999n);
    },
  ],
  ["another function", "buy", "curve", (sent) => setData(sent, `0x12345678${sent.data.slice(10)}`)],
  ["BNB with a sale", "sell", "curve", (sent) => setValue(sent, 1n)],
  [
    "an unlimited approval",
    "sell",
    "dex",
    (_, { approval }) => approval && setWord(approval, 1, 2n ** 256n - 1n),
  ],
  [
    "an approval for another spender",
    "sell",
    "curve",
    (_, { approval }) => approval && setWord(approval, 0, other),
  ],
  ["an approval of another token", "sell", "curve", (_, { approval }) => approval && setTo(approval, other)],
  [
    "an approval with a buy",
    "buy",
    "curve",
    (sent, quote) => {
      quote.approval = { ...sent, spender: other };
    },
  ],
  ["a quote for another amount", "buy", "curve", (_, quote) => Object.assign(quote, { amountInWei: "1" })],
];

// The rest are compared without a browser in client/src/check-quote.test.ts.
test.each(
  sized({
    usual: alterations.filter(([what]) => /^(another contract|an approval for)/.test(what)),
    long: alterations,
  }),
)("an altered answer with %s is refused before the wallet is asked", async (...alteration) => {
  const [, trade, venue, change] = alteration;
  await alterQuote((quote) => change(quote.transaction as Sendable, quote));
  await arrive(`/token/${venue === "curve" ? curve : listed}`);
  await side(trade === "buy" ? "Buy" : "Sell");
  await field().fill(trade === "buy" ? "0.001" : "1000");
  await button(trade === "buy" ? "Buy" : "Sell").click();
  await status()
    .getByText(/Nothing was sent: the service answered with .*, not with what you asked for/)
    .waitFor();
  expect(wallet.sent).toEqual([]);
});

const creation = async (firstBuy: string) => {
  await arrive("/create");
  await main().getByLabel("Name").fill("Money Heron");
  await main().getByLabel("Symbol").fill("MHERON");
  await main().getByLabel("An address that ends in 5afe").uncheck();
  await main()
    .getByLabel(/First buy/)
    .fill(firstBuy);
};

const alteredCreations: [string, (sent: Sendable) => void][] = [
  ["another contract", (sent) => setTo(sent, other)],
  ["more BNB", (sent) => setValue(sent, parseEther("1"))],
  ["no minimum", (sent) => setWord(sent, 4, 0n)],
  ["another burned share", (sent) => setWord(sent, 2, 70n)],
];

test.each(sized({ usual: alteredCreations.slice(0, 1), long: alteredCreations }))(
  "a first buy that was altered to have %s is refused before the wallet is asked",
  async (_, change) => {
    await alterQuote(({ transaction }) => change(transaction as Sendable));
    await creation("0,001");
    await main().getByText("= 0.001 BNB").waitFor();
    await button("Create the token").click();
    await status().getByText("not with what you asked for").waitFor();
    expect(wallet.sent).toEqual([]);
  },
);

test("a large first buy needs a second confirmation, and a malformed one is refused", async () => {
  await creation("1,000.5");
  await main().getByText("Enter one comma or point at most").waitFor();
  await button("Create the token").click();
  expect(wallet.sent).toEqual([]);
  await main()
    .getByLabel(/First buy/)
    .fill("0,03");
  await button("Create the token").click();
  const confirm = main().getByRole("button", { name: /^Create and buy and lose about 0\.0\d+ BNB$/ });
  await confirm.waitFor();
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width: 360, height: 740 });
  const [outer, inner] = await Promise.all([main().locator("form").boundingBox(), confirm.boundingBox()]);
  await page.setViewportSize(size);
  expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThan((outer?.x ?? 0) + (outer?.width ?? 0));
  await confirm.click();
  await page.getByRole("heading", { level: 1, name: "Money Heron" }).waitFor();
  expect(values()).toEqual([parseEther("0.03")]);
});

onlyInLongRun(() => {
  test("a first buy whose quote failed is quoted again, so that the form can be sent", async () => {
    await page.route("**/api/first-buy/quote?*", (route) => route.abort());
    await creation("0.001");
    await main().locator("#create-firstBuy-hint").getByText("The service can't be reached").waitFor();
    expect(await button("Create the token").isDisabled()).toBe(true);
    await page.unroute("**/api/first-buy/quote?*");
    await button("Create the token").click();
    await page.getByRole("heading", { level: 1, name: "Money Heron" }).waitFor();
  });
});

test("a signature of anything but a registration is not requested", async () => {
  await page.route(/\/api\?chainId=/, async (route) => {
    const response = await route.fetch(retried);
    const manifest = await response.json();
    manifest.registrationSignature.primaryType = "Permit";
    await route.fulfill({ response, json: manifest });
  });
  await creation("");
  await button("Create the token").click();
  await status().getByText("not a registration").waitFor();
  expect(wallet.asked).not.toContain("eth_signTypedData_v4");
});

test("nothing is sent on another chain: neither by Enter, nor if the wallet was switched without a word", async () => {
  await arrive(`/token/${curve}`);
  await wallet.moveTo(1);
  await field().fill("0.001");
  await main().getByText("You receive").waitFor();
  await field().press("Enter");
  await main().getByRole("button", { name: "Switch the wallet to BNB Smart Chain" }).click();
  await button("Buy").waitFor();
  wallet.moveQuietlyTo(97);
  await button("Buy").click();
  await status().getByText("Nothing was sent: your wallet is on BNB testnet").waitFor();
  expect(wallet.sent).toEqual([]);
});

test("a sale isn't sent from an account that the wallet changed to after the approval", async () => {
  const { testClient } = shared.chain;
  await arrive(`/token/${listed}`);
  await side("Sell");
  await field().fill("1000");
  await testClient.setAutomine(false);
  try {
    await button("Sell").click();
    await status().getByText("The approval was sent").waitFor();
    await wallet.changeAccount(shared.chain.traders[3] as Address);
    await testClient.mine({ blocks: 1 });
    await status().getByText("Nothing was sent: your wallet has changed to another account").waitFor();
  } finally {
    await testClient.setAutomine(true);
  }
  expect(wallet.sent).toHaveLength(1);
});

test("two clicks send one transaction, and the form can't be changed while the wallet is asked", async () => {
  await arrive(`/token/${curve}`);
  await field().fill("0.001");
  await main().getByText("You receive").waitFor();
  wallet.leaveUnanswered();
  await button("Buy").evaluate((element: { click: () => void }) => {
    element.click();
    element.click();
  });
  await expect.poll(() => wallet.waiting(), { timeout: 100_000 }).toBe(1);
  expect(await field().isEditable()).toBe(false);
  expect(wallet.sent).toHaveLength(1);
});

test("no page reported a forbidden request or a script error", () => {
  expect(explorer.problems).toEqual([]);
});
