import type { Browser, BrowserContextOptions } from "playwright-core";
import { StartError } from "../../runtime/start-error.ts";
import { request } from "../shared/load.ts";
import { median, tableOf } from "../shared/report.ts";
import { type PageName, pagesOf } from "./pages.ts";

/** A phone on a slow mobile network, as Lighthouse has them: 150 ms there and back, 1.6 Mbit/s, and a quarter of the processor's speed. */
const slow4g = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const cpuSlowdown = 4;

type Device = { name: string; context: BrowserContextOptions; isSlow: boolean };

const devices = {
  desktop: { name: "desktop", context: { viewport: { width: 1_280, height: 900 } }, isSlow: false },
  phone: {
    name: "phone, slow 4G, 4x slower",
    context: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    isSlow: true,
  },
} satisfies Record<string, Device>;

/** What a load takes: milliseconds, kilobytes, and the sum of layout shifts. */
type Load = Record<"content" | "lcp" | "kilobytes" | "cls", number>;

const maxCls = 0.05;
const phoneLimits = { lcp: 2_500, cls: maxCls };

/** Notes when the content shows, the largest paint, and how far things have moved. */
const observe = (shown: string) => `
  window.vitals = { content: undefined, lcp: 0, cls: 0 };
  const look = new MutationObserver(() => {
    if (document.querySelector(${JSON.stringify(shown)}) === null) return;
    look.disconnect();
    requestAnimationFrame(() => setTimeout(() => { vitals.content = performance.now(); }));
  });
  look.observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) vitals.lcp = startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) vitals.cls += entry.value;
  }).observe({ type: "layout-shift", buffered: true });`;

/** Measures loads with an empty cache, of a running service. */
export async function measureLoads(browser: Browser, { url, rounds }: { url: string; rounds: number }) {
  const newest = new URL("/api/tokens?sort=trades&limit=1", url);
  const { text } = await request(newest).catch((error: Error) => {
    throw new StartError(`Nothing answers at ${url} (${error.message}): start npm run dev, or pass --url`);
  });
  const { tokens } = JSON.parse(text) as { tokens: { mint: string }[] };
  const pages = pagesOf(tokens[0]?.mint ?? "");
  const { desktop, phone } = devices;
  const loads: { page: PageName; device: Device; limits: Partial<Load> }[] = [
    { page: "home", device: desktop, limits: { content: 1_000, kilobytes: 150, cls: maxCls } },
    { page: "home", device: phone, limits: { content: 1_500, ...phoneLimits } },
    { page: "board", device: phone, limits: phoneLimits },
    { page: "token", device: desktop, limits: { cls: maxCls } },
    { page: "token", device: phone, limits: phoneLimits },
  ];
  const results = [];
  for (const { page, device, limits } of loads) {
    const { path, shown } = pages[page];
    const href = new URL(path, url).href;
    // The first load warms up the browser and the service, but not the page's cache.
    await load(browser, href, shown, device);
    const measured: Load[] = [];
    for (let round = 0; round < rounds; round++) measured.push(await load(browser, href, shown, device));
    const middle = (name: keyof Load) => median(measured.map((one) => one[name]));
    const medians = {
      content: middle("content"),
      lcp: middle("lcp"),
      kilobytes: middle("kilobytes"),
      // Not a matter of luck: no load may move things.
      cls: Math.max(...measured.map(({ cls }) => cls)),
    };
    const missed = (Object.entries(limits) as [keyof Load, number][])
      // What was not measured is missed, too.
      .filter(([name, limit]) => !(medians[name] <= limit))
      .map(([name, limit]) => `${name} of ${page} on a ${device.name} above ${limit}`);
    results.push({ page, device: device.name, ...medians, missed });
  }
  const missed = results.flatMap((result) => result.missed);
  return {
    lines: tableOf(
      results.map(({ page, device, content, lcp, kilobytes, cls }) => ({
        "": `${page}, ${device}`,
        "content, ms": content.toFixed(0),
        "LCP, ms": lcp.toFixed(0),
        kB: kilobytes.toFixed(0),
        CLS: cls.toFixed(3),
      })),
    ),
    data: { results },
    failure: missed.length === 0 ? undefined : missed.join("; "),
  };
}

async function load(browser: Browser, url: string, shown: string, device: Device): Promise<Load> {
  // With a cache of its own.
  const page = await browser.newPage(device.context);
  await page.addInitScript({ content: observe(shown) });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  if (device.isSlow) {
    await session.send("Network.emulateNetworkConditions", slow4g);
    await session.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
  }
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(url, { waitUntil: "commit" });
  // Whether it is visible would have the browser lay out the page before it has the styles.
  await page.locator(shown).first().waitFor({ state: "attached" });
  await page.waitForLoadState("load");
  await page.waitForTimeout(device.isSlow ? 3_000 : 1_000);
  const vitals = (await page.evaluate("vitals")) as Omit<Load, "kilobytes">;
  await page.close();
  return { ...vitals, kilobytes: bytes / 1_000 };
}
