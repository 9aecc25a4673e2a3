import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { tools } from "../mcp/tools/index.ts";
import { buildTexts } from "./texts.ts";

const endpoints = [
  { method: "GET", path: "/api/tokens", description: "List tokens." },
  { method: "POST", path: "/api/tokens", description: "Register a token." },
];
const baseUrl = "https://launchpad.example";
const texts = buildTexts({ baseUrl, docsUrl: `${baseUrl}/docs`, endpoints, tools });
const textOf = (path: string) => texts.get(path)?.text ?? "";
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
  const linked = ["/graphql", "/.well-known/mcp/server-card.json", "/.well-known/api-catalog"];
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
  const without = buildTexts({ baseUrl, docsUrl: "", endpoints, tools: undefined });
  expect([...without.keys()].filter((path) => /server/.test(path))).toEqual([]);
  expect(without.get("/llms.txt")?.text).not.toContain("/mcp");
});
