import { createHash } from "node:crypto";
import { OpenAPIHono } from "@hono/zod-openapi";
import { afterEach, expect, test, vi } from "vitest";
import { tools } from "../mcp/tools/index.ts";
import { buildTexts, createTexts } from "./agent-docs.ts";

const endpoints = [
  { method: "GET", path: "/api/tokens", description: "List tokens." },
  { method: "POST", path: "/api/tokens", description: "Register a token." },
];
const baseUrl = "https://launchpad.example";
const sources = {
  baseUrl,
  docsUrl: `${baseUrl}/docs`,
  endpoints,
  securityContact: undefined,
  hasExplorer: true,
  tools,
};
const texts = buildTexts(sources, 0);
const textOf = (path: string) => texts.get(path)?.text ?? "";
afterEach(() => {
  vi.useRealTimers();
});

const jsonOf = (path: string) => JSON.parse(textOf(path));

test("every endpoint and tool is in each text that lists them", () => {
  for (const { method, path, description } of endpoints) {
    for (const text of ["/llms.txt", "/llms-full.txt"]) {
      expect(textOf(text)).toContain(`\`${method} ${path}\`: ${description}`);
    }
  }
  for (const { name, description } of tools) {
    expect(textOf("/llms.txt")).toContain(`- ${name}: `);
    for (const text of ["/llms-full.txt", "/skill.md"])
      expect(textOf(text)).toContain(`### ${name}\n\n${description}`);
  }
});

test("server.json and the card name the same server, by its domain", () => {
  const { $schema, ...card } = jsonOf("/.well-known/mcp/server-card.json");
  expect($schema).toContain("server-card");
  expect(jsonOf("/server.json")).toMatchObject(card);
  expect(card).toMatchObject({
    name: "example.launchpad/token-launchpad",
    remotes: [{ type: "streamable-http", url: `${baseUrl}/mcp` }],
  });
  // Limits of the registry.
  expect(card.description.length).toBeLessThanOrEqual(100);
  expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
});

test("the introduction leads to GraphQL, the card and the catalog, whose every link is one of ours", () => {
  const linked = ["/graphql", "/client.tgz", "/.well-known/mcp/server-card.json", "/.well-known/api-catalog"];
  for (const path of linked) expect(textOf("/llms.txt")).toContain(`](${baseUrl}${path})`);
  expect(texts.get("/.well-known/api-catalog")?.type).toBe("application/linkset+json");
  const { linkset } = jsonOf("/.well-known/api-catalog");
  const anchors = linkset.map(({ anchor }: { anchor: string }) => anchor);
  expect(anchors).toEqual(["/api", "/graphql", "/mcp"].map((path) => baseUrl + path));
  expect(textOf("/robots.txt")).toMatch(/^User-agent: \*\n/);
});

test("the skill has the frontmatter that frameworks read, and indexes lead to it", () => {
  const skill = textOf("/skill.md");
  const [, name = "", description = ""] =
    /^---\nname: ([a-z0-9-]{1,64})\ndescription: ([^\n]{1,1024})\n---\n/.exec(skill) ?? [];
  // Unquoted YAML.
  expect(description).not.toMatch(/: | #|^[[{&*!|>'"%@`]/);
  const [entry] = jsonOf("/.well-known/agent-skills/index.json").skills;
  expect(entry).toMatchObject({ name, description, type: "skill-md", url: `${baseUrl}/skill.md` });
  expect(entry.digest).toBe(`sha256:${createHash("sha256").update(skill).digest("hex")}`);
  expect(jsonOf("/.well-known/skills/index.json").skills).toMatchObject([{ name, files: ["SKILL.md"] }]);
  expect(textOf(`/.well-known/skills/${name}/SKILL.md`)).toBe(skill);
});

test("without an MCP server no text mentions one", () => {
  const without = buildTexts({ ...sources, docsUrl: "", tools: undefined }, 0);
  expect([...without.keys()].filter((path) => /server/.test(path))).toEqual([]);
  expect(without.get("/llms.txt")?.text).not.toContain("/mcp");
});

test("security.txt names the operator's contact and has not expired, however long the process runs", async () => {
  const securityPath = "/.well-known/security.txt";
  vi.useFakeTimers();
  const deps = {
    ...sources,
    isMcpOn: true,
    hasExplorer: true,
    hasAlerts: true,
    routes: () => new OpenAPIHono(),
  };
  const app = createTexts({ ...deps, securityContact: "mailto:security@launchpad.example" });
  for (let months = 0; months < 24; months++) {
    const response = await app.request(securityPath);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const fields = Object.fromEntries(
      (await response.text())
        .trim()
        .split("\n")
        .map((line) => line.split(/: (.*)/)),
    );
    expect(fields).toMatchObject({
      Contact: "mailto:security@launchpad.example",
      Canonical: baseUrl + securityPath,
    });
    const left = Date.parse(fields.Expires) - Date.now();
    expect([left > 0, left < 365 * 86_400_000]).toEqual([true, true]);
    vi.advanceTimersByTime(30 * 86_400_000);
  }
  expect((await createTexts(deps).request(securityPath)).status).toBe(404);
});
