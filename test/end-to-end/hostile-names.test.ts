import sharp from "sharp";
import {
  bytesToHex,
  concat,
  encodeAbiParameters,
  type Hex,
  parseEventLogs,
  stringToHex,
  toFunctionSelector,
} from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { connectMcp, type McpClient } from "../service/mcp-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/** Name, symbol, and the name that the index shows where it differs. */
const names: [what: string, name: Hex | string, symbol: string, shown?: string][] = [
  ["quotes", `'"\`''"; drop table "token"; --`, "';--"],
  ["HTML", "<script>alert(1)</script><img src=x onerror=a>", "<b>"],
  ["backslashes and COPY's escape sequences", "\\N\\.\\t\\x00 \t\r\n\u000b\f\b", "\\N"],
  ["emoji", "👩‍👩‍👧‍👦🏴‍☠️🦦", "🦦"],
  ["Chinese", "火箭蛙🚀", "火箭蛙"],
  ["letters that cards can't draw", "\u{10330}\u{10331}\u{10332}\u{10333}", "\u{10330}"],
  ["right-to-left marks", "\u202egnp.exe\u202c \u200f\u200e\u2066\u2069", "\u202eABC"],
  ["zero-width and combining characters", "Z\u0351\u036b\u0343a\u0327\u200b\u200d\ufeff", "\u200b"],
  ["terminal escape sequences", "\u001b[2J\u001b]0;owned\u0007", "\u001b[0m"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the point of it.
  ["template and format placeholders", "${process.exit(1)} %s %n {{7*7}} $1 $$", "${x}"],
  ["property names of JavaScript objects", "__proto__", "constructor"],
  ["NUL bytes", "\0a\0b\0", "\0N\0", "ab"],
  ["nothing but NUL", "\0\0\0", "\0", ""],
  ["nothing but combining marks", "\u0301".repeat(32), "\u0489".repeat(8)],
  ["64 bytes of marks on one letter", `Z${"\u0351".repeat(31)}`, `Z${"\u0351".repeat(7)}`],
  ["an unclosed right-to-left override", "\u202eabc", "\u2067\u202e1.0"],
  ["64 bytes", "x".repeat(64), "y".repeat(16)],
  [
    "invalid UTF-8",
    "0xc328a0a1e228a1e28228f0288cbcff",
    "BAD",
    "\ufffd(\ufffd\ufffd\ufffd(\ufffd\ufffd(\ufffd(\ufffd\ufffd\ufffd",
  ],
  ["encoded surrogates", "0xeda080edb080", "HALF", "\ufffd".repeat(6)],
  ["64 bytes of anything", bytesToHex(Uint8Array.from({ length: 64 }, (_, index) => 255 - 4 * index)), "ANY"],
];

let chain: SharedService["chain"];
let service: SharedService["service"];
let mcp: McpClient;
const tokens: string[] = [];
/** The stream's events of these tokens. */
const events: { kind: string; mint: string; name?: string; symbol?: string }[] = [];

beforeAll(async () => {
  ({ chain, service } = await sharedService());
  mcp = await connectMcp(service.indexer.url);
  const { nextCursor } = await readEvents("timeout=0");
  for (const [, name, symbol] of names) {
    // Strings are ABI-encoded like bytes, and the factory does not validate them.
    const data = concat([
      toFunctionSelector("createToken(string,string,uint8)"),
      encodeAbiParameters(
        [{ type: "bytes" }, { type: "bytes" }, { type: "uint8" }],
        [name.startsWith("0x") ? (name as Hex) : stringToHex(name), stringToHex(symbol), 50],
      ),
    ]);
    const { logs } = await chain.send(chain.traders[0], chain.deployment.tokenFactory, data);
    const [created] = parseEventLogs({ abi: tokenFactoryAbi, eventName: "TokenCreated", logs });
    tokens.push(created?.args.token.toLowerCase() ?? "");
  }
  let cursor = nextCursor;
  while (!tokens.every((token) => events.some(({ mint }) => mint === token))) {
    const page = await readEvents(`kind=created&cursor=${cursor}`);
    events.push(...page.events);
    cursor = page.nextCursor;
  }
});

afterAll(() => mcp?.close());

async function readEvents(query: string) {
  const answer = await fetch(new URL(`/api/events?${query}`, service.indexer.url));
  return (await answer.json()) as { events: typeof events; nextCursor: string };
}

const shownName = async (address: string | undefined) => {
  const { token } = await service.indexer.graphql<{ token: { name: string; symbol: string } }>(
    "query ($address: String!) { token(chainId: 56, address: $address) { name symbol } }",
    { address },
  );
  return token;
};

test.each(names.map((entry, index) => [entry[0], index] as const))(
  "a name of %s is indexed and shown as it is",
  async (_, index) => {
    await service.indexer.untilIndexed(56, await chain.head());
    const [, name, symbol, shown] = names[index] ?? [];
    const seen = await shownName(tokens[index]);
    if (shown !== undefined || !name?.startsWith("0x")) expect(seen.name).toBe(shown ?? name);
    expect(seen.symbol).toBe(symbol?.replaceAll("\0", ""));
  },
);

test.each(names.map(([what], index) => [what, index] as const))(
  "a token named with %s is in every interface, and harms none",
  async (_, index) => {
    const mint = tokens[index] ?? "";
    const { url } = service.indexer;
    const get = (path: string) => fetch(new URL(path, url));
    const { name, symbol } = await shownName(mint);
    // A lone surrogate would make the answer invalid UTF-8.
    expect([name.isWellFormed(), symbol.isWellFormed()]).toEqual([true, true]);

    for (const path of [`/api/token/${mint}`, `/api/metadata/${mint}`]) {
      expect(await (await get(path)).json(), path).toMatchObject({ name, symbol });
    }
    const sqlAnswer = await fetch(new URL("/sql", url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sql: `select name, symbol from token where address = '${mint}'` }),
    });
    expect(await sqlAnswer.json()).toMatchObject({ rows: [[name, symbol]] });
    expect(events.find((event) => event.mint === mint)).toMatchObject({ kind: "created", name, symbol });

    const page = await (await get(`/token/${mint}`)).text();
    const head = page.slice(0, page.indexOf("</head>"));
    expect(head).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|\p{M}{4}/u);
    expect(head).not.toMatch(/<script>|<img/);
    const card = await get(`/token/${mint}/card.png`);
    expect([card.status, card.headers.get("content-type")]).toEqual([200, "image/png"]);

    const { untrusted } = (await mcp.use("get_token", { mint })) as { untrusted: { name: string } };
    expect(untrusted.name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|\p{M}{4}/u);
  },
);

test("a card shows a Chinese name and its emoji, and the address in place of letters that it can't draw", async () => {
  const widthOf = async (what: string) => {
    const mint = tokens[names.findIndex(([known]) => known === what)];
    const png = await (await fetch(new URL(`/token/${mint}/card.png`, service.indexer.url))).arrayBuffer();
    const place = { left: 500, top: 84, width: 700, height: 84 };
    const { info } = await sharp(await sharp(png).extract(place).png().toBuffer())
      .trim({ threshold: 40 })
      .toBuffer({ resolveWithObject: true });
    return info.width;
  };
  const [chinese, address] = [await widthOf("Chinese"), await widthOf("letters that cards can't draw")];
  // Three characters are 168 pixels wide, the emoji 90, and an address at least 380.
  expect(chinese).toBeGreaterThan(230);
  expect(chinese).toBeLessThan(290);
  expect(address).toBeGreaterThan(380);
});

test("tokens with hostile names trade like any other", async () => {
  for (const token of tokens) await chain.buy(chain.traders[1], token as Hex, 10n ** 15n);
  await service.expectIndexEqualsChain();
});
