import type { Locator, Page } from "playwright-core";
import type { Address } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { axeViolations } from "../../browser/axe-violations.ts";
import { type Explorer, openExplorer } from "../../browser/explorer.ts";
import { injectWallet, type TestWallet } from "../../browser/wallet.ts";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../doubles/webhook-receiver.ts";
import { onlyInLongRun } from "../../run/long-run.ts";
import { until } from "../../service/condition.ts";

type Served = { chain: LaunchpadChain; url: string; untilIndexed: () => Promise<void> };

/** Setting and managing alerts in a real browser, with a wallet that signs on the local chain. */
export function testAlertsInExplorer(served: () => Served): void {
  const name = "Alert Otter";
  let chain: LaunchpadChain;
  let explorer: Explorer;
  let page: Page;
  let wallet: TestWallet;
  let owner: Address;
  let mint: Address;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    chain = served().chain;
    owner = chain.traders[2];
    mint = await chain.create(owner, name);
    await served().untilIndexed();
    receiver = await startWebhookReceiver();
    explorer = await openExplorer(served().url);
    page = await explorer.open("about:blank");
    wallet = await injectWallet(page, { rpcUrl: chain.rpcUrl, account: owner });
    await explorer.revisit(page, `/token/${mint}`);
    await wallet.connect();
  });
  afterEach(() => page.unrouteAll());
  afterAll(async () => {
    await explorer?.close();
    await receiver?.close();
  });

  const main = () => page.getByRole("main");
  const dialog = () => page.getByRole("dialog");
  const signatures = () => wallet.asked.filter((method) => method === "eth_signTypedData_v4").length;
  const show = (path: string) => page.goto(new URL(path, served().url).href);

  async function openDialog(): Promise<Locator> {
    await main().getByRole("button", { name: "Set an alert" }).click();
    await dialog().getByRole("radio", { name: "Webhook" }).check();
    return dialog();
  }

  /** Fails if anything is wider than a narrow phone. */
  async function expectNothingCutOff(): Promise<void> {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 320, height: 640 });
    const overflow = () =>
      page.evaluate(`[document.documentElement, ...document.querySelectorAll("dialog[open]")]
        .map(({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth))`);
    await expect.poll(async () => JSON.stringify(await overflow())).toMatch(/^\[0(,0)?\]$/);
    if (size !== null) await page.setViewportSize(size);
  }

  test("the bell on a token's page sets an alert with one signature, and shows the secret once", async () => {
    const form = await openDialog();
    await form.getByRole("heading", { name: `New alert: ${name}` }).waitFor();
    const submit = form.getByRole("button", { name: "Sign and set the alert" });
    expect(await submit.isDisabled()).toBe(true);
    await form.getByLabel("Receiver").fill("bot.example");
    await form.getByText("Enter an address that begins with https://").waitFor();
    await form.getByLabel("Receiver").fill(receiver.url);
    await form.getByLabel("Tell me when").selectOption("progress");
    expect(await submit.isDisabled()).toBe(true);
    await form.getByRole("textbox", { name: "Limit" }).fill("80");
    expect(await axeViolations(page)).toEqual([]);
    await expectNothingCutOff();
    await form.getByLabel("Tell me when").selectOption("trade");
    await form.getByRole("radio", { name: "Buy" }).check();

    wallet.reject(true);
    await submit.click();
    await form.getByText("You rejected it in your wallet. Nothing was sent.").waitFor();
    wallet.reject(false);
    const before = signatures();
    await submit.click();
    await dialog().getByRole("heading", { name: "The alert is set" }).waitFor();
    expect(signatures()).toBe(before + 1);
    await dialog().getByText("The receiver has echoed its challenge.").waitFor();
    receiver.secret = (await dialog().locator(".alert-secret code").textContent()) ?? "";
    expect(receiver.secret).toMatch(/^whsec_/);
    expect(await axeViolations(page)).toEqual([]);
    await expectNothingCutOff();
    await dialog().getByRole("button", { name: "Close" }).click();
    await dialog().waitFor({ state: "detached" });
    // Where the keyboard's focus was before.
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Set an alert");

    await chain.buy(chain.traders[1], mint, 10n ** 14n);
    await until("the message", async () => receiver.messages.length > 0);
    expect(receiver.messages).toMatchObject([
      { type: "trade", data: { mint: mint.toLowerCase(), side: "buy" } },
    ]);
  });

  test("a signature of anything but the alert is not requested", async () => {
    await page.route("**/api/alerts/message", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.typedData.message.url = "https://elsewhere.example/";
      await route.fulfill({ response, json: body });
    });
    const form = await openDialog();
    await form.getByLabel("Receiver").fill(receiver.url);
    const before = signatures();
    await form.getByRole("button", { name: "Sign and set the alert" }).click();
    await form.getByText("The service asked for a signature that is not what you asked for.").waitFor();
    expect(signatures()).toBe(before);
    await page.keyboard.press("Escape");
  });

  test("the page of alerts, behind one signature, has state and deliveries, tests, pauses, replays and ends", async () => {
    const silent = await startWebhookReceiver();
    silent.secret = `whsec_${Buffer.alloc(24).toString("base64")}`;
    await show(`/account/${owner.toLowerCase()}`);
    const form = await openDialog();
    await form.getByLabel("Tell me when").selectOption("created");
    await form.getByLabel("Receiver").fill(silent.url);
    await form.getByRole("button", { name: "Sign and set the alert" }).click();
    await dialog().getByText("Nothing is sent yet").waitFor();
    await dialog().getByRole("link", { name: "Your alerts" }).click();

    const before = signatures();
    await main().getByRole("button", { name: "Sign to see them" }).click();
    await main().getByRole("heading", { name: "New tokens" }).waitFor();
    // In this tab, once is enough.
    await page.reload();
    const [unverified, trades] = ["New tokens", "Trades"].map((title) =>
      main().getByRole("listitem").filter({ hasText: title }),
    ) as [Locator, Locator];
    await trades.getByText("Active", { exact: true }).waitFor();
    expect(signatures()).toBe(before + 1);
    await trades.getByText(receiver.url).waitFor();
    await trades.getByText("Last deliveries: 1").click();
    await trades.getByRole("cell", { name: "204", exact: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await expectNothingCutOff();

    await trades.getByRole("button", { name: "Send a test" }).click();
    await trades.getByText("The receiver accepted the test (204).").waitFor();
    expect(receiver.messages.at(-1)?.type).toBe("test");
    await trades.getByRole("button", { name: "Send again from here" }).click();
    await until("the replay", async () => receiver.messages.at(-1)?.type === "trade");
    expect(receiver.messages.at(-1)?.id).toBe(receiver.messages[0]?.id);
    await trades.getByText("All messages since then are sent again.").waitFor();
    await trades.getByRole("button", { name: "Pause" }).click();
    await trades.getByText("You paused it. It keeps its place.").waitFor();
    await trades.getByRole("button", { name: "Resume" }).click();
    await trades.getByText("Active", { exact: true }).waitFor();
    await trades.getByRole("button", { name: "New secret" }).click();
    await expect.poll(() => trades.locator(".alert-secret code").textContent()).not.toBe(receiver.secret);

    await trades.getByRole("button", { name: "Another receiver" }).click();
    await trades.getByLabel("Receiver").fill(`${receiver.url}/moved`);
    expect(await axeViolations(page)).toEqual([]);
    await expectNothingCutOff();
    await trades.getByRole("button", { name: "Send to it from now on" }).click();
    await trades.getByText("Not verified", { exact: true }).waitFor();
    await trades.getByRole("button", { name: "Send a challenge" }).click();
    await trades.getByText("Active", { exact: true }).waitFor();
    await trades.getByText(`${receiver.url}/moved`).waitFor();

    const challenges = silent.requests;
    silent.secret = undefined;
    await unverified.getByRole("button", { name: "Send a challenge" }).click();
    await unverified.getByText("Active", { exact: true }).waitFor();
    expect(silent.requests).toBe(challenges + 1);
    // The second click of a double click ends nothing.
    await unverified.getByRole("button", { name: "End", exact: true }).dblclick();
    await unverified.getByRole("button", { name: "End it for good" }).click();
    await expect.poll(() => main().getByRole("heading", { name: "New tokens" }).count()).toBe(0);
    await silent.close();
  });

  onlyInLongRun(() => {
    test("in Chinese too, and the watchlist leads to the alerts", async () => {
      await page.evaluate('localStorage.setItem("language", "zh")');
      await show("/?board=watchlist");
      await main().getByRole("link", { name: "提醒" }).click();
      await main().getByRole("heading", { name: "成交" }).waitFor();
      receiver.answer = () => ({ status: 500, body: "" });
      await main().getByRole("button", { name: "发送测试" }).click();
      await main().getByText("测试失败：返回状态码 500。").waitFor();
      receiver.answer = undefined;
      expect(await axeViolations(page)).toEqual([]);
      await expectNothingCutOff();
      await show(`/token/${mint}`);
      await main().getByRole("button", { name: "设置提醒" }).click();
      await dialog().getByLabel("提醒条件").selectOption("price");
      expect(await axeViolations(page)).toEqual([]);
      await expectNothingCutOff();
      await page.evaluate('localStorage.setItem("language", "en")');
    });
  });

  test("no page reported a forbidden request or a script error", () => {
    expect(explorer.problems).toEqual([]);
  });
}
