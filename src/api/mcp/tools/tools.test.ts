import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { createAsk, createAskGraphql, createSend } from "../ask.ts";
import type { ChainAccess } from "../chain-access.ts";
import { toAnnotations } from "../tool.ts";
import { tools } from "./index.ts";

test("names are tasks, and descriptions say when to use a tool and when not", () => {
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  for (const { name, description } of tools) {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(description.length).toBeLessThan(600);
  }
});

type Argument = {
  type?: string;
  pattern?: string;
  description?: string;
  examples?: unknown[];
  enum?: unknown[];
  default?: unknown;
};

/** What only a result, a wallet or an upload can give: a model would copy an example. */
const withoutExample = ["cursor", "holdingsCursor", "signature", "imageUrl"];

test.each(tools.map((tool) => [tool.name, tool] as const))("%s describes each argument", (_, { input }) => {
  const { properties = {} } = z.toJSONSchema(input, { io: "input" }) as {
    properties?: Record<string, Argument>;
  };
  for (const [name, argument] of Object.entries(properties)) {
    expect([name, argument.description]).toEqual([name, expect.stringMatching(/.{5}/)]);
    const isFree =
      argument.type === "string" && argument.enum === undefined && argument.pattern === undefined;
    if (isFree && !withoutExample.includes(name))
      expect([name, argument.examples]).toEqual([name, expect.arrayContaining([expect.any(String)])]);
  }
});

const zeros = `0x${"0".repeat(40)}`;
const given = {
  mint: zeros,
  account: `0x${"1".repeat(40)}`,
  creator: zeros,
  owner: zeros,
  url: "https://bot.example/",
  rule: { type: "events" },
  side: "buy",
  amount: "0.01",
  name: "n",
  symbol: "s",
  burnPercent: 50,
  query: "{ x }",
  hash: `0x${"0".repeat(64)}`,
  image: "data:image/png;base64,AAAA",
};

test.each(tools.map((tool) => [tool.name, tool] as const))(
  "%s writes when and only when it says so",
  async (_, tool) => {
    const requests: string[] = [];
    const dispatch = async (request: Request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      const problem = { status: 503, code: "busy", detail: "busy" };
      return Response.json(problem, { status: 503, headers: { "content-type": "application/problem+json" } });
    };
    const chain = {
      choose: () => ({ id: 56, launchpad: zeros, tokenFactory: zeros }),
      read: async () => 0n,
    } as unknown as ChainAccess;
    const context = {
      ask: createAsk(dispatch),
      askGraphql: createAskGraphql(dispatch),
      chain,
      exact: false,
      ...(tool.writes ? { send: createSend(dispatch) } : {}),
    };
    const known = Object.keys((tool.input as unknown as { shape: object }).shape);
    const input = tool.input.parse(
      Object.fromEntries(Object.entries(given).filter(([key]) => known.includes(key))),
    );
    await tool.run(input, context as never).catch(() => {});
    const writes = requests.filter((request) => !request.startsWith("GET ") && request !== "POST /graphql");
    expect(writes.length > 0).toBe(!toAnnotations(tool).readOnlyHint);
  },
);

test("every file of a tool is in the list", async () => {
  const folder = import.meta.dirname;
  const files = (await readdir(folder)).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const texts = await Promise.all(files.map((name) => readFile(`${folder}/${name}`, "utf8")));
  const declared =
    texts.join("\n").match(/(reading|writing)Tool(WithoutBlock)?\(\{\n {2}name: "(\w+)"/g) ?? [];
  expect(declared).toHaveLength(tools.length);
});
