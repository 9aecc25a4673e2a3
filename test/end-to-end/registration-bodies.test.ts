import { request } from "node:http";
import type { Address } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { registrationOf } from "../service/registration.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* Which bodies a registration may have. */

let chain: SharedService["chain"];
let service: SharedService["service"];
let rest: RestClient;

beforeAll(async () => {
  ({ chain, service } = await sharedService());
  rest = await createRestClient(service.indexer.url);
});

const registrations = () => service.database.query("select * from offchain.registration order by id");
const listed = async (mint: Address) => (await rest.get(`/api/tokens?mint=${mint}`)).body.tokens[0];

/** Creates a token that is indexed and not registered. */
async function newToken(): Promise<Address> {
  const token = await chain.create(chain.traders[0]);
  await service.indexer.untilIndexed(56, await chain.head());
  return token;
}

test("a chain that is not indexed: 404", async () => {
  const body = registrationOf(await newToken(), chain.traders[0], { chainId: 97 });
  const answer = await rest.post("/api/tokens", body);
  expect([answer.status, answer.body.code]).toEqual([404, "chain_not_indexed"]);
});

describe("fields", () => {
  const otter = (length: number) => "🦦".repeat(length);
  const long = (start: string, length: number) => start.padEnd(length, "a");

  test.each<[string, object]>([
    ["1,000 characters", { description: otter(1_000) }],
    ["URLs of 2,048 characters", { imageUrl: long("https://a.example/", 2_048) }],
    ["ipfs", { imageUrl: "ipfs://Qm/1.png", websiteUrl: "IPFS://Qm" }],
    [
      "markup, SQL and format characters",
      { description: `<script>'"; drop table x;--\\ %s \${1} {{2}} \\u0000` },
    ],
    ["other scripts and combining marks", { description: "小狗 \u202egnp.exe \u200b Ω ς ß İ a\u0308" }],
  ])("%s: stored and shown as it is", async (_, changes) => {
    const mint = await newToken();
    const { status } = await rest.post("/api/tokens", registrationOf(mint, chain.traders[0], changes));
    expect(status).toBe(201);
    expect(await listed(mint)).toMatchObject(changes);
    const { body } = await rest.get(`/api/metadata/${mint}`);
    const { description = "", imageUrl = "" } = changes as Record<string, string>;
    expect(body).toMatchObject({ description, image: imageUrl, registered: true });
  });

  test.each<[string, object, string[]]>([
    ["1,001 characters", { description: otter(1_001) }, ["description"]],
    ["a line break", { description: "a\nb" }, ["description"]],
    ["NUL", { description: "a\0b" }, ["description"]],
    ["a lone surrogate", { description: "a\ud800" }, ["description"]],
    ["a C1 control character", { description: "a\u0085b" }, ["description"]],
    ["URLs of 2,049 characters", { imageUrl: long("https://a.example/", 2_049) }, ["imageUrl"]],
    [
      "other schemes",
      { imageUrl: "javascript:alert(1)", websiteUrl: "data:text/html,a" },
      ["imageUrl", "websiteUrl"],
    ],
    ["a scheme behind a space", { imageUrl: " https://a.example" }, ["imageUrl"]],
    [
      "text that is not a URL",
      { websiteUrl: "otter.example", imageUrl: "https://" },
      ["imageUrl", "websiteUrl"],
    ],
    [
      "social links that are not https",
      { twitterUrl: "http://x.com/a", telegramUrl: "ipfs://a" },
      ["twitterUrl", "telegramUrl"],
    ],
    ["a control character in a URL", { websiteUrl: "https://a.example/\u0007" }, ["websiteUrl"]],
    ["a burnPercent of 29", { burnPercent: 29 }, ["burnPercent"]],
    ["a burnPercent of 71", { burnPercent: 71 }, ["burnPercent"]],
    ["a burnPercent as text", { burnPercent: "50" }, ["burnPercent"]],
    ["a fraction", { burnPercent: 50.5 }, ["burnPercent"]],
    [
      "text that is not an address",
      { mint: "0x12", creator: 5, launchpadAddress: "0x" },
      ["mint", "creator", "launchpadAddress"],
    ],
    ["missing fields", { mint: undefined, name: undefined }, ["mint", "name"]],
    ["null for required fields", { name: null, burnPercent: null }, ["name", "burnPercent"]],
    ["empty text for required fields", { mint: "", symbol: "" }, ["mint", "symbol"]],
    ["an empty signature with an issuedAt", { signature: "", issuedAt: 1 }, ["signature"]],
    ["an unknown chain", { chainId: 1 }, ["chainId"]],
    ["a chain as text", { chainId: "56" }, ["chainId"]],
    ["fields that don't exist", { owner: "me", Description: "a" }, ["owner", "Description"]],
    ["a signature without issuedAt", { signature: "0x00" }, ["issuedAt"]],
    ["issuedAt without a signature", { issuedAt: 1_700_000_000 }, ["signature"]],
    ["a signature that is not hex", { signature: "0xzz", issuedAt: 1 }, ["signature"]],
  ])("%s: refused by name", async (_, changes, paths) => {
    const before = await registrations();
    const [creator] = chain.traders;
    const { status, body } = await rest.post("/api/tokens", registrationOf(creator, creator, changes));
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect([...new Set(body.errors.map(({ path }: { path: string }) => path))]).toEqual(paths);
    expect(await registrations()).toEqual(before);
  });

  const optional =
    "description imageUrl twitterUrl telegramUrl websiteUrl launchpadAddress chainId signature issuedAt";
  test.each(["", null])("%j for each optional field is treated as if it were left out", async (blank) => {
    const mint = await newToken();
    const [creator] = chain.traders;
    const blanks = Object.fromEntries(optional.split(" ").map((name) => [name, blank]));
    expect((await rest.post("/api/tokens", registrationOf(mint, creator, blanks))).status).toBe(201);
    expect(await listed(mint)).toMatchObject({ description: null, imageUrl: null, verified: false });
    expect((await rest.post("/api/tokens", registrationOf(mint, creator))).status).toBe(200);
    // In the form that earlier versions stored.
    await service.database.query("update offchain.registration set description = '' where mint = $1", [
      mint.toLowerCase(),
    ]);
    expect((await rest.post("/api/tokens", registrationOf(mint, creator, blanks))).status).toBe(200);
  });

  test.each([
    ["{", 400],
    ["", 400],
    ["null", 400],
    ["[]", 400],
    ["1", 400],
    ['"text"', 400],
    ['{"__proto__":{"mint":"0x"}}', 400],
    [`{"constructor":1,"prototype":2,"toString":3}`, 400],
    ["[".repeat(60_000), 400],
    [`{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, 400],
  ])("a body of %.40s: %i", async (body, status) => {
    expect((await rest.post("/api/tokens", body)).status).toBe(status);
  });

  test("keys with a special meaning in JavaScript are unknown fields like any other", async () => {
    const [creator] = chain.traders;
    const text = JSON.stringify(registrationOf(creator, creator)).replace(
      "{",
      '{"__proto__":{},"constructor":1,',
    );
    const { status, body } = await rest.post("/api/tokens", text);
    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      "__proto__",
      "constructor",
    ]);
  });
});

describe("bodies", () => {
  test.each([
    [undefined, 415],
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["application/json-patch+json", 415],
    ["application/json; charset=utf-8", 400],
    ["APPLICATION/JSON", 400],
  ])("with Content-Type %s: %i", async (type, status) => {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const body = new TextEncoder().encode("{}");
    expect((await rest.request("/api/tokens", { method: "POST", headers, body })).status).toBe(status);
  });

  test("of up to 64 kB are accepted, and larger ones refused, with or without a Content-Length", async () => {
    const ofSize = (bytes: number) => `{"a":"${"x".repeat(bytes - 8)}"}`;
    const largest = 64 * 1_024;
    expect((await rest.post("/api/tokens", ofSize(largest))).status).toBe(400);
    expect((await rest.post("/api/tokens", ofSize(largest + 1))).status).toBe(413);
    expect(await postInChunks(ofSize(largest))).toBe(400);
    expect(await postInChunks(ofSize(largest + 1))).toBe(413);
    expect(await postInChunks(ofSize(20 * largest))).toBe(413);
  });

  function postInChunks(text: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = request(`${service.indexer.url}/api/tokens`, {
        method: "POST",
        headers: { "content-type": "application/json", "transfer-encoding": "chunked" },
      });
      let status: number | undefined;
      sent.on("response", (response) => {
        status = response.statusCode;
        response.resume().on("end", () => resolve(status));
      });
      // The service may close the connection instead of reading the rest.
      sent.on("error", (error) => (status === undefined ? reject(error) : resolve(status)));
      for (let at = 0; at < text.length; at += 10_000) sent.write(text.slice(at, at + 10_000));
      sent.end();
    });
  }
});
