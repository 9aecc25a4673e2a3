import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import fc from "fast-check";
import { Hono } from "hono";
import sharp from "sharp";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../test/fuzz/any-character.ts";
import type { Days, Stats } from "../../stats/stats.schema.ts";
import type { TokenDetails } from "../../tokens/entry/token-entry.schema.ts";
import { createCardRoutes, createCards } from "./card-routes.ts";
import { homeCard, tokenCard } from "./cards.ts";
import { fitText, formatShort, renderCard, toDrawable, widthOf } from "./svg.ts";
import { cardWords } from "./words.ts";

const day = { volumeBnb: "12.5", trades: 40, buys: 30, sells: 10 };

const token = {
  mint: `0x${"1f".repeat(20)}`,
  name: "Brave Otter",
  symbol: "OTTER",
  imageUrl: null,
  priceBnb: "0.000000000162",
  marketCapBnb: "0.081",
  progress: 62.4321,
  graduated: false,
  holderCount: 1_234,
  windows: { "24h": day },
} as unknown as TokenDetails;

const brand = { name: "Launchpad", accent: "#f0b429", logo: undefined };

async function sizeOf(png: Buffer) {
  const { format, width, height } = await sharp(png).metadata();
  return { format, width, height };
}

const draw = async (changes: Partial<TokenDetails> = {}, picture?: Buffer) =>
  await renderCard(tokenCard({ ...token, ...changes }, picture, brand, cardWords.en));

/** A server with one open connection. */
async function connectedSockets() {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [accepted] = (await once(server, "connection")) as [Socket];
  return {
    close() {
      for (const socket of [client, accepted]) socket.destroy();
      server.close();
    },
  };
}

const card = { format: "png", width: 1_200, height: 630 };

/** The part of a card with name and symbol, as pixels. */
const namePart = async (png: Buffer) =>
  await sharp(png).extract({ left: 500, top: 60, width: 700, height: 170 }).raw().toBuffer();

test("a refusal of the API is passed on with the quota that is used up, not with that of pages", async () => {
  const api = new Hono();
  const refusal = { RateLimit: '"reads";r=0;t=9', "RateLimit-Policy": '"reads";q=1;w=60' };
  api.all("*", (c) => c.text("", 429, refusal));
  const app = new Hono();
  app.use(async (c, next) => {
    c.res.headers.set("RateLimit", '"files";r=4;t=9');
    c.res.headers.set("RateLimit-Policy", '"files";q=5;w=60');
    await next();
  });
  app.route(
    "/",
    createCardRoutes({ service: () => api, readPicture: async () => undefined, trustedHops: 0, brand }),
  );
  const answer = await app.request("/card.png");
  expect(answer.status).toBe(429);
  for (const [name, value] of Object.entries(refusal)) expect(answer.headers.get(name)).toBe(value);
});

test("a card is a PNG of the size that link previews expect", async () => {
  expect(await sizeOf(await draw())).toEqual(card);
});

test("loading the renderer looks up no host names, which would stop the process", async () => {
  await draw();
  const connected = await connectedSockets();
  const { libuv } = process.report.getReport() as unknown as {
    libuv: { remoteEndpoint?: { host: string } }[];
  };
  connected.close();
  const hosts = libuv.flatMap(({ remoteEndpoint }) => remoteEndpoint?.host ?? []);
  expect(hosts).toContain("127.0.0.1");
  expect(hosts).not.toContain("localhost");
});

test("cards differ by name, symbol, state, price and picture", async () => {
  const red = await sharp({ create: { width: 90, height: 60, channels: 3, background: "#f00" } })
    .png()
    .toBuffer();
  const cards = [
    await draw(),
    await draw({ name: "Lazy Otter" }),
    await draw({ symbol: "LAZY" }),
    await draw({ progress: 100, graduated: true }),
    await draw({ priceUsd: "0.0000001", marketCapUsd: "54" }),
    await draw({}, red),
  ];
  expect(new Set(cards.map((png) => png.toString("base64"))).size).toBe(cards.length);
  const [left] = await sharp(cards.at(-1))
    .extract({ left: 260, top: 280, width: 1, height: 1 })
    .raw()
    .toBuffer();
  expect(left).toBe(255);
});

test.each([
  ["markup", `</text></svg><script>x</script>&lt;&amp;"'`],
  ["bidi and zero-width", "\u202eevil\u202c\u200b\u2066x\u2069"],
  ["marks in a heap", `Z${"\u0351".repeat(300)}`],
  ["control", "a\u0000\u0007\ufffe\uffff\ud800b"],
  ["very long", "W".repeat(5_000)],
  ["Chinese and emoji", "火箭蛙🚀登月👩🏽‍🚀".repeat(40)],
  ["nothing that a font has", "ก็ \u{10330}"],
  ["blank", "\u2800\u3164"],
])("a name of %s stays in its area, or is left out", async (_, name) => {
  const png = await draw({ name, symbol: name });
  expect(await sizeOf(png)).toEqual(card);
  // Nothing of it reaches the edge, or the facts below.
  const { data, info } = await sharp(png)
    .extract({ left: 1_140, top: 60, width: 60, height: 170 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const ground = data.subarray(0, info.channels);
  // Filtered first, since a matcher is slow at comparing ten thousand pixels.
  const others = data.filter((value, at) => value !== ground[at % info.channels]);
  expect(others).toHaveLength(0);
});

test("a name without drawable characters is replaced by the address", async () => {
  const nameless = await namePart(await draw({ name: "\u{10330}", symbol: "ก็" }));
  const empty = await namePart(await draw({ name: " ", symbol: "" }));
  expect(nameless.equals(empty)).toBe(true);
  expect(nameless.equals(await namePart(await draw()))).toBe(false);
});

test("Chinese and emoji are drawn, each character of a name once", async () => {
  const cards = [
    await draw({ name: "火箭蛙" }),
    await draw({ name: "火箭蛙🚀" }),
    await draw({ name: "🚀" }),
    await draw({ name: "蛙" }),
    await draw({ name: "龍" }),
    await draw({ name: " " }),
  ];
  const parts = await Promise.all(cards.map(namePart));
  expect(new Set(parts.map((part) => part.toString("base64"))).size).toBe(cards.length);
  expect(toDrawable("火箭蛙👍🏽\u200d\ufe0f")).toBe("火箭蛙👍");
});

test("any text becomes one line that the font can draw and that fits", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
      const shown = toDrawable(text);
      expect(shown).not.toMatch(/[\p{C}\p{M}\n]/u);
      const fitted = fitText(shown, { width: 600, size: 76, minSize: 44, weight: 700 });
      expect(fitted.size).toBeGreaterThanOrEqual(44);
      expect(widthOf(fitted.text, fitted.size, 700)).toBeLessThanOrEqual(601);
    }),
  );
});

test.each([
  ["0", "0"],
  ["0.5", "0.5"],
  ["0.00123", "0.00123"],
  ["0.000000000162", "0.0₉162"],
  ["0.0009996", "0.0₂1"],
  ["12345.6", "12.35K"],
  ["1234567890", "1.235B"],
])("%s is written as %s", (value, written) => expect(formatShort(value, "en")).toBe(written));

test("the launchpad's card shows its days", async () => {
  const stats = { tokens: 12_345, graduatedTokens: 67, windows: { "24h": day } } as unknown as Stats;
  const days = (volumes: number[]) =>
    ({ days: volumes.map((volume) => ({ volumeBnb: String(volume) })) }) as unknown as Days;
  const busy = await renderCard(homeCard(stats, days([1, 2, 3]), brand, cardWords.en));
  const quiet = await renderCard(homeCard(stats, days([0, 0, 0]), brand, cardWords.en));
  expect([await sizeOf(busy), await sizeOf(quiet)]).toEqual([card, card]);
  expect(busy.equals(quiet)).toBe(false);
});

test("the words of every language are drawn as they are, with numbers as its readers write them", async () => {
  const cards = Object.values(cardWords).map((words) =>
    tokenCard({ ...token, holderCount: 12_345_678 }, undefined, brand, words),
  );
  for (const svg of cards) {
    const drawn = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);
    expect(drawn.length).toBeGreaterThan(6);
    expect(drawn.map(toDrawable)).toEqual(drawn);
  }
  expect(cards[0]).toContain("12.35M holders");
  expect(cards[1]).toContain("1235万位持有人");
});

test("clients take turns, even if one asks for a card that another one waits for with many others", async () => {
  const cards = createCards();
  const begun: string[] = [];
  const ask = (client: string, name: string) =>
    cards(name, client, async () => {
      begun.push(name);
      return tokenCard({ ...token, name }, undefined, brand, cardWords.en);
    });
  const names = Array.from({ length: 8 }, (_, index) => `Card ${index}`);
  const flood = names.map((name) => ask("flooder", name));
  await ask("victim", "Card 7");
  expect(begun.slice(0, 3)).toContain("Card 7");
  // On a slow machine some of them wait too long, and are refused.
  await Promise.allSettled(flood);
  expect(new Set(begun).size).toBe(begun.length);
});

test("a card that one client may not have is drawn for another that asks at the same time", async () => {
  const cards = createCards();
  const refused = new Error("refused");
  const first = cards("a card", "over its limit", async () => {
    throw refused;
  });
  const second = cards("a card", "victim", async () => tokenCard(token, undefined, brand, cardWords.en));
  await expect(first).rejects.toBe(refused);
  expect(await sizeOf(await second)).toEqual(card);
});
