import jsQR from "jsqr";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { type Address, type Hex, parseEther, parseGwei } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { gasLimits } from "../../src/api/quotes/transaction.ts";
import { axeViolations, bothThemes } from "../browser/axe-violations.ts";
import { type Explorer, openExplorer, retried } from "../browser/explorer.ts";
import { injectWallet, type TestWallet } from "../browser/wallet.ts";
import { isLong, onlyInLongRun, sized } from "../run/long-run.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient } from "../service/rest-client.ts";
import { encode, picture } from "../service/sample-images.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* Creating, buying and selling in a real browser, with a wallet that signs on the local chain. */

let shared: SharedService;
let explorer: Explorer;
let page: Page;
let wallet: TestWallet;
let owner: Address;

beforeAll(async () => {
  shared = await sharedService();
  owner = shared.chain.traders[2];
  explorer = await openExplorer(shared.service.indexer.url);
  page = await explorer.open("about:blank");
  wallet = await injectWallet(page, { rpcUrl: shared.chain.rpcUrl, account: owner });
});

afterEach(async () => {
  // Whatever the page asked for had a gas limit: an estimate may be too low by the time a transaction is mined.
  expect(wallet.sent.filter(({ gas }) => !(Number(gas) >= 80_000))).toEqual([]);
  await page.unrouteAll();
});
afterAll(() => explorer?.close());

const main = () => page.getByRole("main");
const button = (name: string) => main().getByRole("button", { name, exact: true });
const status = () => main().locator(".status");
const amountField = () => main().locator("#trade-amount");

/** Opens a path for a user who was never here, with a wallet that isn't connected yet. */
async function arrive(path: string): Promise<void> {
  await explorer.revisit(page, path);
  // Only now: the page before may have asked until the end.
  wallet.reset();
}

/** Creates a token and opens its page with the wallet connected. */
async function openToken(name: string): Promise<Address> {
  const token = await shared.chain.create(owner, name, "WALLET");
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  await arrive(`/token/${token}`);
  await wallet.connect();
  return token;
}

async function trade(side: "Buy" | "Sell", amount: string): Promise<void> {
  await main().getByRole("radio", { name: side, exact: true }).check();
  await amountField().fill(amount);
  await button(side).click();
}

/** What a phone's camera reads in a picture of an element. */
async function readQrCode(element: Locator): Promise<string | undefined> {
  const { data, info } = await sharp(await element.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

type Styles = { getComputedStyle: (element: unknown) => { getPropertyValue: (name: string) => string } };

/** A property of an element's style, as the browser computes it. */
const styleOf = (element: Locator, property: string) =>
  element.evaluate(
    (node, name) => (globalThis as unknown as Styles).getComputedStyle(node).getPropertyValue(name),
    property,
  );

/** With smaller letters in a field, Safari on iOS enlarges the page as one begins to type. */
async function expectLargeLetters(place: Page | Locator): Promise<void> {
  const fields = await place.getByRole("textbox").all();
  expect(fields.length).toBeGreaterThan(1);
  for (const field of fields) {
    expect(Number.parseFloat(await styleOf(field, "font-size"))).toBeGreaterThanOrEqual(16);
  }
}

/** Confirms a trade with a high price impact. */
const confirmLoss = (side: "Buy" | "Sell") =>
  main()
    .getByRole("button", { name: new RegExp(`^${side} and lose about`) })
    .click();

/** Opens the form that creates a token, connects the wallet, and types what every token has. */
async function fillCreation(name: string, symbol: string): Promise<void> {
  await arrive("/create");
  await wallet.connect();
  await main().getByLabel("Name").fill(name);
  await main().getByLabel("Symbol").fill(symbol);
}

/** Lets registrations fail until the returned function is called. */
async function failRegistrations(): Promise<() => Promise<void>> {
  const registrations = "**/api/tokens";
  await page.route(registrations, (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  return () => page.unroute(registrations);
}

const vanity = () => main().getByLabel("An address that ends in 5afe");

test("a user creates a token with image, vanity address and first buy, and it is listed as verified", async () => {
  await fillCreation("Wallet Otter", "WOTTER");
  await main().getByRole("textbox", { name: "Description" }).fill("Made in a browser.");
  await main().getByLabel("Website").fill("https://otter.example/");
  await main()
    .getByLabel(/First buy/)
    .fill("0.001");
  await main()
    .getByText(/^Buys .* tokens/)
    .waitFor();
  const image = { name: "otter.png", mimeType: "image/png", buffer: await encode(picture(), "png") };
  await main()
    .getByLabel(/^Image/)
    .setInputFiles(image);
  await main().getByRole("img", { name: "Preview of the token" }).waitFor();
  await button("Create the token").click();

  await page.getByRole("heading", { level: 1, name: "Wallet Otter" }).waitFor();
  const mint = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(mint).toMatch(/5afe$/);
  expect(wallet.asked.filter((method) => /send|sign/.test(method))).toEqual([
    "eth_sendTransaction",
    "eth_signTypedData_v4",
  ]);
  await main().getByText("Verified", { exact: true }).waitFor();
  await main().getByText("You hold", { exact: true }).waitFor();
  const answer = await fetch(new URL(`/api/token/${mint}`, shared.service.indexer.url));
  expect(await answer.json()).toMatchObject({
    name: "Wallet Otter",
    creator: owner.toLowerCase(),
    verified: true,
    buys: 1,
    description: "Made in a browser.",
    websiteUrl: "https://otter.example/",
    imageUrl: expect.stringMatching(/^ipfs:\/\//),
  });
  await page.keyboard.press("/");
  await page.keyboard.type("WOTTER");
  const suggestion = page.getByRole("option", { name: /^Wallet Otter Registered by its creator/ });
  await suggestion.locator("img.token-image").waitFor();
  await page.keyboard.press("Escape");
  // The form is empty again for the next token.
  await page.getByRole("link", { name: /^Create/ }).click();
  expect(await main().getByLabel("Name").inputValue()).toBe("");
});

onlyInLongRun(() => {
  test("the creation form takes a name for a link, and says beside a field what is wrong with it", async () => {
    await fillCreation("Wallet Newt", "WNEWT");
    await main().getByLabel("X", { exact: true }).fill("@frog");
    await main().getByLabel("Telegram").fill("t.me/frogs");
    // A pasted link is whole.
    const link = `https://frog.example/?${"a".repeat(500)}`;
    await main().getByLabel("Website").focus();
    await page.keyboard.insertText(link);
    expect(await main().getByLabel("Website").inputValue()).toBe(link);
    await main().getByLabel("Website").fill("two words");
    await button("Create the token").click();
    expect(await main().getByLabel("X", { exact: true }).inputValue()).toBe("https://x.com/frog");
    expect(await main().getByLabel("Telegram").inputValue()).toBe("https://t.me/frogs");
    const website = main().getByLabel("Website").and(page.locator(":focus"));
    await website.waitFor();
    expect(await website.getAttribute("aria-invalid")).toBe("true");
    const hint = await website.getAttribute("aria-describedby");
    const problem = page.locator(`[id="${hint}"]`);
    expect(await problem.innerText()).toBe("Enter an address such as https://frog.example");
    // In red, as what is said above the button.
    expect(await styleOf(problem, "color")).toBe(
      await styleOf(main().getByText("Nothing was sent"), "color"),
    );
    const broken = { name: "broken.png", mimeType: "image/png", buffer: Buffer.from("not an image") };
    const imageField = main().getByLabel(/^Image/);
    await imageField.setInputFiles(broken);
    await main().getByText("This file can't be shown as an image.").waitFor();
    // Browsers say nothing of a file that is chosen again, unless it was forgotten.
    expect(await imageField.inputValue()).toBe("");
    await main().getByRole("img", { name: "Preview of the token" }).waitFor({ state: "detached" });
    expect(wallet.sent).toEqual([]);
  });
});

test("a user buys until the token graduates, then sells on the DEX", async () => {
  const token = await openToken("Wallet Badger");
  await amountField().fill("0.06");
  await main().getByText("This buy completes the curve").waitFor();
  await main().getByText("Refund").waitFor();
  await trade("Buy", "0.06");
  await confirmLoss("Buy");
  await status()
    .getByText(/^Bought /)
    .waitFor();
  await main().getByText("Listed on the DEX", { exact: true }).waitFor();
  const bought = await shared.chain.balanceOf(token, owner);
  expect(bought).toBeGreaterThan(0n);

  await main().getByRole("radio", { name: "Sell", exact: true }).check();
  await main().getByRole("button", { name: "50%" }).click();
  await main().getByText("Your wallet will ask twice").waitFor();
  await button("Sell").click();
  await confirmLoss("Sell");
  await status()
    .getByText(/^Sold /)
    .waitFor();
  expect(await shared.chain.balanceOf(token, owner)).toBe(bought - bought / 2n);
  await main().locator("tr.is-you").nth(1).waitFor();
});

test("on the board a click buys for the preset amount with one signature, and asks again before a large loss", async () => {
  const token = await shared.chain.create(owner, "Wallet Swift", "WSWIFT");
  const rest = await createRestClient(shared.service.indexer.url);
  const registration = registrationOf(token, owner, { name: "Wallet Swift", symbol: "WSWIFT" });
  await rest.post("/api/tokens", registration);
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  await arrive("/board");
  const quickBuy = (amount: string) => main().getByRole("button", { name: `Buy WSWIFT for ${amount} BNB` });
  const order = main().getByRole("article").and(page.locator(".order"));
  // Without a wallet, the click asks for one.
  await quickBuy("0.005").click();
  await page.getByRole("dialog").getByRole("button", { name: "Test wallet" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(wallet.sent).toEqual([]);

  // Whoever stops waiting for the wallet can order again, and hears what came of it.
  const typed = main().getByRole("textbox", { name: /^Amount of a quick buy/ });
  await typed.fill("0.0001");
  wallet.leaveUnanswered();
  await quickBuy("0.0₃1").click();
  await order.getByRole("button", { name: "Stop waiting" }).click();
  await order.getByText("You stopped waiting.").waitFor();
  await typed.fill("0.03");
  await quickBuy("0.03").click();
  const confirmation = order.getByRole("button", { name: /^Buy and lose about/ });
  await expect.poll(() => confirmation.isEnabled()).toBe(true);
  // The next one waits until it is known what became of the first.
  await shared.chain.testClient.setAutomine(false);
  try {
    await wallet.confirm();
    await order.getByText("The buy was sent").waitFor();
    expect(await confirmation.isDisabled()).toBe(true);
    await shared.chain.testClient.mine({ blocks: 1 });
  } finally {
    await shared.chain.testClient.setAutomine(true);
  }
  await order.getByText("The buy went through after all.").waitFor();
  await order.getByRole("button", { name: "Cancel" }).click();
  expect(wallet.sent.length).toBe(1);
  wallet.reset();

  await typed.fill("0,002");
  await quickBuy("0.002").focus();
  await page.keyboard.press("Enter");
  await order.getByText(/^Bought [\d.]+M WSWIFT for 0\.002 BNB/).waitFor();
  expect(wallet.asked.filter((method) => /send|sign/.test(method))).toEqual(["eth_sendTransaction"]);
  expect(wallet.sent.map(({ value }) => BigInt(value))).toEqual([parseEther("0.002")]);
  const balance = await shared.chain.balanceOf(token, owner);
  expect(balance).toBeGreaterThan(0n);
  await order.getByRole("link", { name: /^Transaction/ }).waitFor();
  // Who uses the keyboard is still where the purchase was.
  expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Buy WSWIFT for 0.002 BNB");
  expect(await axeViolations(page)).toEqual([]);

  // What turns out to be no number leaves nothing of its beginning.
  await typed.press("ControlOrMeta+a");
  await typed.pressSequentially("1e-3");
  await quickBuy("0.002").waitFor();
  await typed.fill("0.03");
  // The second click doesn't open the token's page.
  await quickBuy("0.03").dblclick();
  await order.getByText(/^You lose about/).waitFor();
  expect(wallet.sent.length).toBe(1);
  // Who has disconnected the wallet meanwhile is told so.
  await page.getByRole("button", { name: "Disconnect the wallet" }).click();
  await order.getByRole("button", { name: /^Buy and lose about/ }).click();
  await order.getByText("The wallet is not connected any more.").waitFor();
  await wallet.connect();
  await quickBuy("0.03").click();
  await order.getByRole("button", { name: /^Buy and lose about/ }).click();
  await order.getByText(/^Bought /).waitFor();
  expect(wallet.sent.length).toBe(2);

  // Its symbol has a small L in place of an I.
  const copy = await shared.chain.create(owner, "Copied Swift", "WSWlFT");
  await rest.post("/api/tokens", registrationOf(copy, owner, { name: "Copied Swift", symbol: "WSWlFT" }));
  await main().getByRole("button", { name: "Buy WSWlFT for 0.03 BNB" }).waitFor();
  await main().getByRole("button", { name: "Buy WSWlFT for 0.03 BNB" }).click();
  await order.getByText(/^It looks like .WSWIFT. .*, an older token/).waitFor();
  // The second click of a double click doesn't answer the next question.
  await order.getByRole("button", { name: "Buy it anyway" }).dblclick();
  await order.getByText(/^You lose about/).waitFor();
  expect(wallet.sent.length).toBe(2);
  await order.getByRole("button", { name: /^Buy and lose about/ }).click();
  await order.getByText(/^Bought .* WSWlFT/).waitFor();
  expect(wallet.sent.length).toBe(3);
  // Its page warns above Buy, and leads to the original, which has no such warning.
  await arrive(`/token/${copy}`);
  await main().locator(".verdict").getByText("It looks like").waitFor();
  await main().getByRole("link", { name: "Looks like WSWIFT" }).click();
  await main().getByRole("heading", { name: "Wallet Swift" }).waitFor();
  expect(await main().getByText("looks like").count()).toBe(0);
  // Who can't see it goes on reading where the page begins.
  await page.locator("main:focus").waitFor();
});

test("a creator changes links and image with a signature, visitors see what was changed, and the page can be shared", async () => {
  const token = await shared.chain.create(owner, "Wallet Editor", "WEDIT");
  const rest = await createRestClient(shared.service.indexer.url);
  const names = { name: "Wallet Editor", symbol: "WEDIT" };
  await rest.post("/api/tokens", registrationOf(token, owner, { ...names, description: "Before" }));
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  await arrive(`/token/${token}`);
  const edit = button("Edit texts, links and image");
  await main().getByText("Before", { exact: true }).waitFor();
  expect(await edit.count()).toBe(0);
  await wallet.connect();
  await wallet.moveTo(1);
  await edit.click();
  await main().locator(".edit").getByRole("button", { name: "Switch the wallet to BNB Smart Chain" }).click();
  await main().getByRole("textbox", { name: "Description" }).fill("After all");
  await main().getByRole("textbox", { name: "X", exact: true }).fill("@editor");
  const image = { name: "editor.png", mimeType: "image/png", buffer: await encode(picture(), "png") };
  await main()
    .getByLabel(/^Image/)
    .setInputFiles(image);
  await main().getByRole("img", { name: "Preview of the token" }).waitFor();
  const uploads: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/upload-image")) uploads.push(request.url());
  });
  // The wallet is not asked to sign what the service then refuses.
  await main().getByRole("textbox", { name: "Website" }).fill("two words");
  await button("Sign and save").click();
  await main().getByText("Enter an address such as https://frog.example").waitFor();
  await main().getByRole("textbox", { name: "Website" }).and(page.locator(":focus")).waitFor();
  expect(wallet.asked.filter((method) => /sign/.test(method))).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
  await main().getByRole("textbox", { name: "Website" }).fill("");
  wallet.reject(true);
  await button("Sign and save").click();
  await main()
    .locator(".edit")
    .getByText(/rejected/i)
    .waitFor();
  wallet.reject(false);
  await button("Sign and save").click();
  await main().getByRole("heading", { name: "In the creator's words" }).waitFor();
  await main().getByRole("link", { name: "https://x.com/editor" }).waitFor();
  expect(wallet.asked.filter((method) => /send/.test(method))).toEqual([]);
  // The rejected attempt had uploaded it already.
  expect(uploads).toHaveLength(1);
  await main().locator("header img.token-image").waitFor();
  await main().getByText("Changes", { exact: true }).click();
  const changes = main().locator(".history");
  await changes.getByText("After all").waitFor();
  expect(await changes.locator("del").allTextContents()).toEqual(["Before", "nothing", "nothing"]);
  await changes.locator("img.token-image").waitFor();
  expect(await axeViolations(page)).toEqual([]);

  await button("Share").click();
  const url = `${new URL(shared.service.indexer.url).origin}/token/${token.toLowerCase()}`;
  const share = page.getByRole("dialog", { name: "Share" });
  await share.getByText(url).waitFor();
  const linked = async (name: RegExp) =>
    new URL((await share.getByRole("link", { name }).getAttribute("href")) ?? "").searchParams.get("url");
  expect([await linked(/^X/), await linked(/^Telegram/)]).toEqual([url, url]);
  const code = share.getByRole("img", { name: "QR code of the link" });
  await code.waitFor();
  expect(await readQrCode(code)).toBe(url);
  expect(await axeViolations(page)).toEqual([]);
});

onlyInLongRun(() => {
  test("after a rejected signature the page says that nothing changed, and the next attempt succeeds", async () => {
    const token = await openToken("Wallet Toad");
    wallet.reject(true);
    await trade("Buy", "0.001");
    await status().getByText("You rejected it in your wallet. Nothing was sent.").waitFor();
    expect(await shared.chain.balanceOf(token, owner)).toBe(0n);
    wallet.reject(false);
    await button("Buy").click();
    await status()
      .getByText(/^Bought /)
      .waitFor();
  });
});

test("whoever stops waiting for a wallet goes on, and what is confirmed there later sends nothing else", async () => {
  const token = await openToken("Wallet Snail");
  wallet.leaveUnanswered();
  await trade("Buy", "0.001");
  await button("Stop waiting").click();
  await status().getByText("You stopped waiting.").waitFor();
  await expect.poll(() => button("Buy").isEnabled()).toBe(true);
  expect(await amountField().isEditable()).toBe(true);
  await wallet.confirm();
  await status().getByText("The buy went through after all.").waitFor();
  expect(await shared.chain.balanceOf(token, owner)).toBeGreaterThan(0n);

  // Of a sale, the wallet is asked for a signature first.
  wallet.leaveUnanswered();
  await trade("Sell", "1000");
  await button("Stop waiting").click();
  await wallet.confirm();
  await button("Sell").click();
  await status()
    .getByText(/^Sold 1000 /)
    .waitFor();
  expect(wallet.asked.filter((method) => /send|sign/.test(method))).toEqual([
    "eth_sendTransaction",
    "eth_signTypedData_v4",
    "eth_signTypedData_v4",
    "eth_sendTransaction",
  ]);
});

onlyInLongRun(() => {
  test("a question that the wallet never answers is asked again", async () => {
    await openToken("Wallet Newt");
    wallet.loseNext("eth_getTransactionReceipt");
    await trade("Buy", "0.001");
    await status()
      .getByText(/^Bought /)
      .waitFor();
  });

  test("on the wrong chain the user is asked to switch, and can then trade", async () => {
    await openToken("Wallet Frog");
    await wallet.moveTo(1);
    await main().getByText("Your wallet is on chain 1").waitFor();
    await main().getByRole("button", { name: "Switch the wallet to BNB Smart Chain" }).click();
    await trade("Buy", "0.001");
    await status()
      .getByText(/^Bought /)
      .waitFor();
    expect(wallet.asked).toContain("wallet_switchEthereumChain");
  });
});

test("buying for more than the account holds is prevented, with what it holds in the unit of the field", async () => {
  await openToken("Wallet Yak");
  await amountField().fill(String(parseEther("1")));
  await main()
    .getByRole("alert")
    .getByText(/^You have [\d.]+K? BNB, which is less than this\.$/)
    .waitFor();
  expect(await button("Buy").isDisabled()).toBe(true);
  await main().getByRole("radio", { name: "Sell", exact: true }).check();
  await amountField().fill("1");
  await main().getByRole("alert").getByText("You have 0 WALLET, which is less than this.").waitFor();
});

test("the panel shows what one has, and all of it but gas, or a share, is one click", async () => {
  const token = await openToken("Wallet Ox");
  await main().getByText("Balance").waitFor();
  const balance = await shared.chain.publicClient.getBalance({ address: owner });
  await button("Max").click();
  const most = parseEther(await amountField().inputValue());
  expect(balance - most).toBeGreaterThanOrEqual(parseEther("0.001"));
  expect(balance - most).toBeLessThan(parseEther("0.0011"));
  await button("50%").click();
  expect(parseEther(await amountField().inputValue()) / 10n ** 12n).toBe(most / 2n / 10n ** 12n);

  await trade("Buy", "0.002");
  await status()
    .getByText(/^Bought [\d.]+M WALLET for 0\.002 BNB( \(\$[\d.]+\))?, at 0\.0\S+ BNB each\./)
    .waitFor();
  const href = await status()
    .getByRole("link", { name: /^Transaction/ })
    .getAttribute("href");
  const hash = href?.split("/").at(-1) as Hex;
  const { to, value } = await shared.chain.publicClient.getTransaction({ hash });
  expect([to, value]).toEqual([wallet.sent[0]?.to.toLowerCase(), parseEther("0.002")]);

  // What they cost is the price of that buy.
  const [, each] = /, at (\S+ BNB) each/.exec(await status().innerText()) ?? [];
  const cost = main().locator(".position div").filter({ hasText: "Average cost" }).locator("dd");
  expect(await cost.innerText()).toBe(each);

  // All tokens, to the last base unit.
  await main().getByRole("radio", { name: "Sell", exact: true }).check();
  await main()
    .getByText(/^Balance [1-9].* WALLET$/)
    .waitFor();
  await button("Max").click();
  expect(parseEther(await amountField().inputValue())).toBe(await shared.chain.balanceOf(token, owner));
  await button("Sell").click();
  await status()
    .getByText(/^Sold [\d.]+M WALLET for 0\.00\S+ BNB/)
    .waitFor();
  expect(await shared.chain.balanceOf(token, owner)).toBe(0n);
  await main().getByText("Balance 0 WALLET").waitFor();
});

onlyInLongRun(() => {
  test("what an account buys elsewhere is there to sell at once", async () => {
    const token = await shared.chain.create(owner, "Wallet Calf", "WCALF");
    await shared.service.indexer.untilIndexed(56, await shared.chain.head());
    // Its time stands still, so that nothing is read again for its age.
    const tab = await explorer.open("about:blank", {
      init: "{ const now = Date.now(); Date.now = () => now; }",
    });
    try {
      const its = await injectWallet(tab, { rpcUrl: shared.chain.rpcUrl, account: owner });
      await tab.goto(new URL(`/token/${token}`, shared.service.indexer.url).href);
      await its.connect();
      await tab.getByText("You hold none of this token.").waitFor();
      await tab.locator(".live.is-live").waitFor();
      await shared.chain.buy(owner, token, parseEther("0.001"));
      await tab.getByText("You hold", { exact: true }).waitFor();
      await tab.getByRole("radio", { name: "Sell", exact: true }).check();
      await tab.getByRole("button", { name: "Max" }).click();
      const all = await shared.chain.balanceOf(token, owner);
      expect(parseEther(await tab.locator("#trade-amount").inputValue())).toBe(all);
    } finally {
      await tab.context().close();
    }
  });

  test("all of it leaves twice what a buy's gas may cost at the wallet's gas price", async () => {
    await openToken("Wallet Bull");
    const gasPrice = parseGwei("20");
    wallet.haveGasPrice(gasPrice);
    await page.reload();
    await main().getByText("Balance").waitFor();
    const balance = await shared.chain.publicClient.getBalance({ address: owner });
    const reserve = 2n * BigInt(gasLimits.curveBuy) * gasPrice;
    await main()
      .getByRole("button", { name: "Max" })
      .and(page.getByTitle("All but 0.016 BNB for gas"))
      .click();
    const left = balance - parseEther(await amountField().inputValue());
    // Amounts that the page fills in are rounded down to six decimals.
    expect(left).toBeGreaterThanOrEqual(reserve);
    expect(left).toBeLessThan(reserve + 10n ** 12n);
  });

  test("while the price changes, a buy stays possible, and is quoted anew when it is made", async () => {
    const token = await openToken("Wallet Colt");
    await amountField().fill("0.001");
    await main().getByText("You receive").waitFor();
    // From now on, quotes take their time.
    const released = Promise.withResolvers<void>();
    let asked = 0;
    await page.route(/\/quote\?/, async (route) => {
      asked++;
      await released.promise;
      await route.continue();
    });
    await shared.chain.buy(shared.chain.traders[1], token, parseEther("0.0001"));
    await main().locator(".quote.is-old").waitFor();
    expect(await button("Buy").isEnabled()).toBe(true);
    await button("Buy").click();
    await status().getByText("Asking for the current price.").waitFor();
    await expect.poll(() => asked).toBeGreaterThanOrEqual(2);
    released.resolve();
    await status()
      .getByText(/^Bought /)
      .waitFor();
  });
});

test("a price that has moved beyond what the page showed needs another click", async () => {
  await openToken("Wallet Kid");
  await amountField().fill("0.001");
  await main().getByText("You receive").waitFor();
  await page.route(/\/quote\?/, async (route) => {
    const response = await route.fetch(retried);
    const quote = await response.json();
    const lower = (raw: string) => String((BigInt(raw) * 95n) / 100n);
    const json = {
      ...quote,
      amountOutRaw: lower(quote.amountOutRaw),
      minAmountOutRaw: lower(quote.minAmountOutRaw),
    };
    await route.fulfill({ response, json });
  });
  await button("Buy").click();
  await status().getByText("The price has moved: you would receive").waitFor();
  expect(wallet.sent).toEqual([]);
  await page.unrouteAll({ behavior: "wait" });
  await button("Buy").click();
  await status()
    .getByText(/^Bought /)
    .waitFor();
});

onlyInLongRun(() => {
  test("a wallet whose RPC endpoint is down is described in plain words, and the service's absence too", async () => {
    await openToken("Wallet Mule");
    wallet.cutOff(true);
    await trade("Buy", "0.001");
    await status().getByText("Your wallet can't reach the chain: its RPC endpoint doesn't answer.").waitFor();
    wallet.cutOff(false);
    // The last quote stays usable when the service can no longer be reached.
    await expect.poll(() => button("Buy").isEnabled()).toBe(true);
    await page.route(/\/quote\?/, (route) => route.abort());
    // Nor does a quote that fails in the background keep from trying again.
    const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/quote?"));
    await main().getByRole("radio", { name: "3%" }).check();
    await failed;
    await button("Buy").click();
    await status().getByText("The service can't be reached at the moment.").waitFor();
    await page.unroute(/\/quote\?/);
    // Without a click or another price.
    await main().getByText("You receive").waitFor();
    await button("Buy").click();
    await status()
      .getByText(/^Bought /)
      .waitFor();
    expect(wallet.sent).toHaveLength(1);
    await main().getByRole("radio", { name: "1%" }).check();
  });

  test("a slippage limit of one's own is what the transaction has, and stays for the next visit", async () => {
    await openToken("Wallet Mare");
    const own = main().getByRole("textbox", { name: "Another slippage limit in percent" });
    await own.pressSequentially("60");
    await main().getByText("Enter 0.01 to 50. The limit is still 1%.").waitFor();
    await own.fill("2,5");
    const request = page.waitForRequest(/\/quote\?/);
    await amountField().fill("0.001");
    expect(new URL((await request).url()).searchParams.get("slippage")).toBe("2.5");
    await main().getByText("You receive").waitFor();
    await own.press("Enter");
    // A trade would say so at once.
    expect(await status().innerText()).toBe("");
    await page.reload();
    await expect.poll(() => own.inputValue()).toBe("2.5");
    const usual = main().getByRole("radio", { name: "1%" });
    await usual.check();
    expect(await own.inputValue()).toBe("");
    // Without it, nothing on the page would say that the last one still holds.
    await own.fill("12");
    expect(await usual.isChecked()).toBe(false);
    await own.fill("");
    await expect.poll(() => usual.isChecked()).toBe(true);
  });
});

/** A phone of the smallest usual size. */
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

test("on a phone, Buy and Sell are in reach, and a wallet that announces nothing buys from there", async () => {
  const token = await shared.chain.create(owner, "Wallet Pony", "WPONY");
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  const small = await explorer.open("about:blank", phone);
  try {
    await injectWallet(small, { rpcUrl: shared.chain.rpcUrl, account: owner, isInjected: true });
    await small.goto(new URL(`/token/${token}`, shared.service.indexer.url).href);
    const bar = small.getByRole("region", { name: "Trade" });
    for (const name of ["Buy", "Sell"]) {
      const { y = 0, height = 0 } = (await bar.getByRole("button", { name }).boundingBox()) ?? {};
      expect(y).toBeGreaterThan(600);
      expect(y + height).toBeLessThanOrEqual(740);
    }
    // Most of the first screen is the chart's.
    expect((await small.locator(".chart-frame").boundingBox())?.y).toBeLessThan(430);
    // What is beside the chart on a wide screen is a tab, so that trades are not far below the chart.
    const { y: chartTop = 0, height: chartHeight = 0 } = (await small.locator(".chart").boundingBox()) ?? {};
    const tabs = small.getByRole("tablist", { name: "Market" });
    expect((await tabs.boundingBox())?.y).toBeLessThan(chartTop + chartHeight + 60);
    await tabs.getByRole("tab", { name: "Risk & info" }).click();
    await small.getByRole("heading", { name: "Risk", exact: true }).waitFor();
    expect(await axeViolations(small)).toEqual([]);
    await bar.getByRole("button", { name: "Buy" }).click();
    const sheet = small.getByRole("dialog", { name: "Trade WPONY" });
    await sheet.getByRole("button", { name: "Connect wallet" }).click();
    await small.getByRole("button", { name: "MetaMask" }).click();
    await sheet.getByText("You hold none").waitFor();
    await expectLargeLetters(sheet);
    const submit = sheet.getByRole("button", { name: "Buy", exact: true });
    const empty = await submit.boundingBox();
    await sheet.getByRole("button", { name: "0.001 BNB" }).click();
    await sheet.getByText("You receive").waitFor();
    const { y = 0, height = 0 } = (await submit.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(740);
    // Neither an amount nor its quote moves what a finger is above.
    expect(await submit.boundingBox()).toEqual(empty);
    expect(await axeViolations(small)).toEqual([]);
    await submit.click();
    await sheet.getByText(/^Bought .* WPONY for 0\.001 BNB/).waitFor();
    await sheet.getByRole("button", { name: "Close" }).click();
    await sheet.waitFor({ state: "hidden" });
    await bar.getByText(/^Bought /).waitFor();
    expect(await axeViolations(small)).toEqual([]);
    await bar.getByRole("button", { name: "Sell" }).click();
    await sheet.getByRole("radio", { name: "Sell" }).and(small.locator(":checked")).waitFor();
    await small.keyboard.press("Escape");
    await sheet.waitFor({ state: "hidden" });
  } finally {
    await small.context().close();
  }
});

test("on a phone without a wallet, links open the page in apps that have one", async () => {
  const small = await explorer.open("/create", phone);
  try {
    await expectLargeLetters(small);
    await small.getByRole("banner").getByRole("button", { name: "Connect" }).click();
    const links = small.getByRole("dialog").getByRole("link");
    await links.first().waitFor();
    expect(await links.allInnerTexts()).toEqual([
      "MetaMask",
      "Trust Wallet",
      "OKX Wallet",
      "Binance Wallet",
      "TokenPocket",
    ]);
    const urls = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    const target = small.url();
    const [metaMask, trust, okx, binance, tokenPocket] = urls.map((url) => new URL(url)) as [
      URL,
      URL,
      URL,
      URL,
      URL,
    ];
    expect(metaMask.href).toBe(`https://metamask.app.link/dapp/${target.replace("http://", "")}`);
    expect(trust.searchParams.get("url")).toBe(target);
    const dapp = new URL(okx.searchParams.get("deeplink") ?? "");
    expect(dapp.searchParams.get("dappUrl")).toBe(target);
    const app = new URL(atob(binance.searchParams.get("_dp") ?? ""));
    const query = new URLSearchParams(atob(app.searchParams.get("startPageQuery") ?? ""));
    expect([query.get("url"), query.get("defaultChainId")]).toEqual([target, "56"]);
    expect(JSON.parse(tokenPocket.searchParams.get("params") ?? "")).toMatchObject({
      url: target,
      chain: "BSC",
    });
    expect(await axeViolations(small)).toEqual([]);
  } finally {
    await small.context().close();
  }
});

const withKeys = "with the keyboard alone a user connects a wallet and buys";

test(sized({ usual: withKeys, long: `${withKeys}, and creates` }), async () => {
  const token = await shared.chain.create(owner, "Wallet Mouse", "WMOUSE");
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  await arrive(`/token/${token}`);
  await amountField().waitFor();
  const tabTo = async (selector: string) => {
    for (let pressed = 0; pressed < 150; pressed++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
    }
    throw new Error(`Tab never leads to ${selector}`);
  };
  await tabTo(".trade-form .button.is-wide");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Test wallet" }).waitFor();
  // The dialog keeps the focus, so Tab stays within it.
  await page.keyboard.press("Shift+Tab");
  await tabTo("dialog .wallets .button");
  await page.keyboard.press("Enter");
  await main().getByText("Balance").waitFor();
  await tabTo("#trade-amount");
  await page.keyboard.type("0.001");
  await page.keyboard.press("Enter");
  await status()
    .getByText(/^Bought /)
    .waitFor();
  if (!isLong) return;
  await tabTo("a[href='/create']");
  await page.keyboard.press("Enter");
  for (const [field, text] of [
    ["name", "Wallet Keys"],
    ["symbol", "WKEYS"],
  ]) {
    await tabTo(`#create-${field}`);
    await page.keyboard.type(text as string);
  }
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/token\/0x[0-9a-f]{36}5afe$/);
  await main().getByRole("heading", { level: 1, name: "Wallet Keys" }).waitFor();
});

/** What users of each language press, and what answers them. */
const words = {
  "en-US": {
    connect: "Connect wallet",
    name: "Name",
    symbol: "Symbol",
    firstBuy: /First buy/,
    create: "Create the token",
    sides: { Buy: "Buy", Sell: "Sell" },
    done: { Buy: /^Bought /, Sell: /^Sold / },
  },
  "zh-CN": {
    connect: "连接钱包",
    name: "名称",
    symbol: "代号",
    firstBuy: /首次买入/,
    create: "创建代币",
    sides: { Buy: "买入", Sell: "卖出" },
    done: { Buy: /^已买入 /, Sell: /^已卖出 / },
  },
};

/** The smallest has a phone's bar; the other tests here run on one like the second. */
const screens = [
  { width: 768, height: 1024, locale: "zh-CN" as const },
  { width: 1440, height: 900, locale: "zh-CN" as const },
  { width: 3840, height: 2160, locale: "en-US" as const },
];

onlyInLongRun(() => {
  test.each(screens)(
    "at $width pixels, a user creates a token, buys and sells ($locale)",
    async ({ width, height, locale }) => {
      const text = words[locale];
      const screen = await explorer.open("about:blank", { viewport: { width, height }, locale });
      try {
        await injectWallet(screen, { rpcUrl: shared.chain.rpcUrl, account: owner });
        await screen.goto(new URL("/create", shared.service.indexer.url).href);
        const content = screen.getByRole("main");
        await content.getByRole("button", { name: text.connect }).first().click();
        await screen.getByRole("button", { name: "Test wallet" }).click();
        // What is typed while the dialog is open is lost.
        await screen.getByRole("dialog").waitFor({ state: "hidden" });
        await content.getByLabel(text.name).fill(`Wallet ${width}`);
        await content.getByLabel(text.symbol).fill(`W${width}`);
        await content.getByLabel(text.firstBuy).fill("0.001");
        await content.getByRole("button", { name: text.create }).click();
        await screen.getByRole("heading", { level: 1, name: `Wallet ${width}` }).waitFor();

        for (const side of ["Buy", "Sell"] as const) {
          const name = text.sides[side];
          // A tablet held upright has a phone's bar and sheet; wider screens have the panel beside the chart.
          if (width < 1_024) await screen.locator(".trade-bar").getByRole("button", { name }).click();
          else await content.getByRole("radio", { name, exact: true }).check();
          const panel = width < 1_024 ? screen.getByRole("dialog") : content;
          await panel.locator("#trade-amount").fill(side === "Buy" ? "0.001" : "1000");
          const submit = panel.getByRole("button", { name, exact: true });
          // In sight without scrolling, and nothing is wider than the screen.
          const { y = 0, height: tall = 0 } = (await submit.boundingBox()) ?? {};
          expect(y + tall).toBeLessThanOrEqual(height);
          expect(await screen.evaluate("document.documentElement.scrollWidth")).toBe(width);
          await submit.click();
          await panel.locator(".status").getByText(text.done[side]).waitFor();
          if (width < 1_024) await screen.keyboard.press("Escape");
        }
      } finally {
        await screen.context().close();
      }
    },
  );
});

test("a launch whose tab was closed resumes where it stopped", async () => {
  await fillCreation("Wallet Phoenix", "WPHOENIX");
  await vanity().uncheck();
  // The tab is closed after the transaction and before the registration.
  const acceptRegistrations = await failRegistrations();
  await button("Create the token").click();
  await main().locator(".status.is-failed").waitFor();
  await acceptRegistrations();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Wallet Phoenix" }).waitFor();
  await main().getByText("Verified", { exact: true }).waitFor();
});

onlyInLongRun(() => {
  test("a launch resumes once its wallet is on the launch's chain: on another one it couldn't sign the registration", async () => {
    await fillCreation("Wallet Heron", "WHERON");
    await vanity().uncheck();
    const acceptRegistrations = await failRegistrations();
    await button("Create the token").click();
    await main().locator(".status.is-failed").waitFor();
    await acceptRegistrations();
    wallet.moveQuietlyTo(97);
    await page.reload();
    await button("Switch the wallet to BNB Smart Chain").click();
    await page.getByRole("heading", { level: 1, name: "Wallet Heron" }).waitFor();
    await main().getByText("Verified", { exact: true }).waitFor();
  });

  test("a refused registration of another chain than the page's goes on there, and opens its token there", async () => {
    const mint = `0x${"5a".repeat(20)}`;
    const form = { name: "Wallet Crane", symbol: "WCRANE", isSigned: false };
    const launch = { form, chainId: 97, creator: owner.toLowerCase(), mint, isRefused: true };
    await arrive("/create");
    await wallet.connect();
    const come = async () => {
      await page.evaluate(`localStorage.setItem("create-launch", ${JSON.stringify(JSON.stringify(launch))})`);
      await page.reload();
    };
    await page.route("**/api/tokens", (route) => route.fulfill({ status: 201, json: { mint } }));
    await come();
    await main().getByText("its registration isn't finished").waitFor();
    await button("Cancel").click();
    await main().getByText("its registration isn't finished").waitFor({ state: "detached" });
    await come();
    // The form is for the next token, on the page's chain.
    await button("Create the token").waitFor();
    await button("Switch the wallet to BNB testnet").click();
    const registration = page.waitForRequest("**/api/tokens");
    await button("Continue").click();
    expect((await registration).postDataJSON()).toMatchObject({ mint, chainId: 97, name: "Wallet Crane" });
    await page.waitForURL((url) => url.pathname === `/token/${mint}` && url.search === "?chain=97");
  });

  test("a launch that ends while its creator is on another page leaves them there", async () => {
    const { testClient } = shared.chain;
    await fillCreation("Wallet Swift", "WSWIFT");
    await vanity().uncheck();
    await testClient.setAutomine(false);
    try {
      await button("Create the token").click();
      await status().getByText("The creation was sent").waitFor();
      await page.getByRole("link", { name: "Stats" }).first().click();
      await page.getByRole("heading", { level: 1, name: "Stats" }).waitFor();
      await testClient.mine({ blocks: 1 });
      const launch = () => page.evaluate("localStorage.getItem('create-launch')");
      await expect.poll(launch, { timeout: 100_000 }).toBe("[]");
      // It has ended once it holds its lock no more.
      await page.evaluate("navigator.locks?.request('create-launch', () => {})");
    } finally {
      await testClient.setAutomine(true);
    }
    expect(new URL(page.url()).pathname).toBe("/stats");
    await page.goBack();
    await main().getByText("Your token is live.").waitFor();
  });

  test("a launch goes on while its wallet is switched to another chain and back", async () => {
    const { testClient } = shared.chain;
    await fillCreation("Wallet Stork", "WSTORK");
    await vanity().uncheck();
    await testClient.setAutomine(false);
    try {
      await button("Create the token").click();
      await status().getByText("The creation was sent").waitFor();
      await wallet.moveTo(97);
      await button("Switch the wallet to BNB Smart Chain").click();
      await button("Create the token").waitFor();
      expect(await main().locator(".status.is-failed").count()).toBe(0);
      expect(await button("Continue").count()).toBe(0);
      await testClient.mine({ blocks: 1 });
    } finally {
      await testClient.setAutomine(true);
    }
    await page.getByRole("heading", { level: 1, name: "Wallet Stork" }).waitFor();
    expect(wallet.sent).toHaveLength(1);
  });
});

test("a creator who stops waiting for the wallet pays for no second token, and the launch goes on once it answers", async () => {
  await fillCreation("Wallet Slug", "WSLUG");
  await vanity().uncheck();
  wallet.leaveUnanswered();
  await button("Create the token").click();
  await button("Stop waiting").click();
  await main().getByText("your wallet was asked to create Wallet Slug").waitFor();
  await button("Create the token").click();
  await button("It wasn't sent").and(page.locator(":focus")).waitFor();
  await wallet.confirm();
  await page.getByRole("heading", { level: 1, name: "Wallet Slug" }).waitFor();
  await main().getByText("Verified", { exact: true }).waitFor();
  expect(wallet.sent).toHaveLength(1);
});

onlyInLongRun(() => {
  test("whoever is told that the registration failed goes on with it, and pays for no second token", async () => {
    await fillCreation("Wallet Dodo", "WDODO");
    await vanity().uncheck();
    const acceptRegistrations = await failRegistrations();
    await button("Create the token").click();
    await main().locator(".status.is-failed").waitFor();
    await main().locator("form").getByRole("button", { name: "Continue" }).waitFor();
    expect(await button("Create the token").count()).toBe(0);
    await acceptRegistrations();
    await main().getByLabel("Name").press("Enter");
    await page.getByRole("heading", { level: 1, name: "Wallet Dodo" }).waitFor();
    expect(wallet.sent).toHaveLength(1);
  });

  test("with a wallet that can't sign, the creator decides whether the token is registered unsigned", async () => {
    await arrive("/create");
    await wallet.connect();
    wallet.refuseTypedData();
    await main().getByLabel("Name").fill("Wallet Mute");
    await main().getByLabel("Symbol").fill("WMUTE");
    await main().getByRole("textbox", { name: "Description" }).fill("Unsigned.");
    await vanity().uncheck();
    await button("Create the token").click();
    await main().getByText("Your wallet couldn't sign").waitFor();
    await button("Register without a signature").click();
    await page.getByRole("heading", { level: 1, name: "Wallet Mute" }).waitFor();
    await main().getByText("Description, unsigned").first().waitFor();
  });

  test.each([true, false])(
    "a launch whose tab was closed before the wallet answered resumes once it has (vanity address: %s)",
    async (isVanity) => {
      const name = isVanity ? "Wallet Sphinx" : "Wallet Griffin";
      await fillCreation(name, "WLATE");
      if (!isVanity) await vanity().uncheck();
      wallet.leaveUnanswered();
      await button("Create the token").click();
      await expect.poll(() => wallet.waiting(), { timeout: 100_000 }).toBe(1);
      await page.reload();
      await main().getByText(`your wallet was asked to create ${name}`).waitFor();
      await wallet.confirm();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await main().getByText("Verified", { exact: true }).waitFor();
    },
  );
});

/** Makes a buy that waits to be mined, then replaces it in the wallet with a transaction of a higher fee. */
async function replaceBuy(name: string, change: (sent: SentTransaction) => object): Promise<Address> {
  const token = await openToken(name);
  const { testClient } = shared.chain;
  await testClient.setAutomine(false);
  try {
    await trade("Buy", "0.001");
    await status().getByText("waiting to be mined").waitFor();
    // Once the page polls for the receipt again, it has read the transaction and knows its nonce.
    const receiptRequests = () =>
      wallet.asked.filter((method) => method === "eth_getTransactionReceipt").length;
    await expect.poll(receiptRequests, { timeout: 100_000 }).toBeGreaterThan(1);
    const hash = new URL((await status().getByRole("link").getAttribute("href")) ?? "").pathname
      .split("/")
      .at(-1) as Hex;
    const sent = await shared.chain.publicClient.getTransaction({ hash });
    const { from, to, input, value, gas, nonce } = sent;
    const gasPrice = 10n * (sent.gasPrice ?? sent.maxFeePerGas ?? 1n) + 10n ** 9n;
    const other = { from, to, input, value, gas, nonce, gasPrice, ...change({ from }) };
    const quantities = Object.entries(other).map(([key, entry]) => [
      key === "input" ? "data" : key,
      typeof entry === "string" || entry === null ? entry : `0x${entry.toString(16)}`,
    ]);
    await testClient.request({
      method: "eth_sendTransaction",
      params: [Object.fromEntries(quantities)],
    } as never);
    await testClient.mine({ blocks: 1 });
  } finally {
    await testClient.setAutomine(true);
  }
  return token;
}

type SentTransaction = { from: Address };

test("a buy that the wallet sped up counts, and the page says that it went through", async () => {
  const token = await replaceBuy("Wallet Hare", () => ({}));
  await status()
    .getByText(/^Bought /)
    .waitFor();
  expect(await shared.chain.balanceOf(token, owner)).toBeGreaterThan(0n);
});

onlyInLongRun(() => {
  test("a buy cancelled in the wallet is reported as cancelled, and the next one succeeds", async () => {
    const token = await replaceBuy("Wallet Tortoise", ({ from }) => ({ to: from, input: "0x", value: 0n }));
    await status().getByText("You cancelled the buy in your wallet. Only gas was spent.").waitFor();
    expect(await shared.chain.balanceOf(token, owner)).toBe(0n);
    await button("Buy").click();
    await status()
      .getByText(/^Bought /)
      .waitFor();
  });

  test("a buy that the wallet replaced with another transaction is reported as not made", async () => {
    const other = shared.chain.traders[3];
    await replaceBuy("Wallet Mole", () => ({ to: other, input: "0x", value: 1n }));
    await status().getByText("Your wallet sent another transaction in place of the buy").waitFor();
  });
});

test("axe finds no problem in the wallet dialogs, in either theme", async () => {
  await arrive("/create");
  await button("Connect wallet").waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page
    .getByRole("banner")
    .getByRole("button", { name: /Connect/ })
    .click();
  const icon = page.getByRole("dialog").locator(".wallets img");
  await expect
    .poll(() => icon.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(8);
  expect(await axeViolations(page, bothThemes)).toEqual([]);
});

onlyInLongRun(() => {
  test("axe finds no problem in the panel that trades, in either theme", async () => {
    await openToken("Wallet Theme");
    await amountField().fill("0.001");
    await main().getByText("You receive").waitFor();
    expect(await axeViolations(page, bothThemes)).toEqual([]);
  });
});

test("no page reported a forbidden request or a script error", () => {
  expect(explorer.problems).toEqual([]);
});
