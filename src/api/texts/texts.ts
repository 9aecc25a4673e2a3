import { createHash } from "node:crypto";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { type Context, Hono } from "hono";
import { etagOf } from "../http/etag.ts";
import { listEndpoints } from "../manifest/endpoints.ts";
import { serverInfo } from "../mcp/server-info.ts";
import { tools } from "../mcp/tools/index.ts";
import {
  apiCatalog,
  dayMs,
  llmsFullText,
  llmsText,
  robotsText,
  securityText,
  serverCard,
  serverJson,
  skillIndexes,
  skillText,
  type TextSources,
} from "./describe.ts";

export type TextsDeps = {
  baseUrl: string;
  docsUrl: string;
  securityContact: string | undefined;
  isMcpOn: boolean;
  /** The app whose routes are described. */
  routes: () => OpenAPIHono;
};

type Text = { type: string; text: string };

const plain = (text: string): Text => ({ type: "text/plain; charset=utf-8", text: `${text}\n` });
const markdown = (text: string): Text => ({ type: "text/markdown; charset=utf-8", text: `${text}\n` });
const json = (value: unknown): Text => ({
  type: "application/json",
  text: `${JSON.stringify(value, null, 2)}\n`,
});

/**
 * Builds the texts by path, from the same sources as the manifest and the tools.
 *
 * @param day days since 1970, from which the time of expiry is counted
 */
export function buildTexts(sources: TextSources, day: number): Map<string, Text> {
  const skill = markdown(skillText(sources));
  const digest = `sha256:${createHash("sha256").update(skill.text).digest("hex")}`;
  const { baseUrl, securityContact: contact } = sources;
  const { current, former } = skillIndexes({ baseUrl: sources.baseUrl, digest });
  return new Map([
    ["/llms.txt", plain(llmsText(sources))],
    ["/llms-full.txt", plain(llmsFullText(sources))],
    ["/skill.md", skill],
    ["/robots.txt", plain(robotsText)],
    ["/.well-known/api-catalog", { ...json(apiCatalog(sources)), type: "application/linkset+json" }],
    ["/.well-known/agent-skills/index.json", json(current)],
    ["/.well-known/skills/index.json", json(former)],
    [`/.well-known/skills/${serverInfo.name}/SKILL.md`, skill],
    ...(contact === undefined
      ? []
      : ([["/.well-known/security.txt", plain(securityText({ baseUrl, contact, day }))]] as const)),
    ...(sources.tools === undefined
      ? []
      : ([
          ["/server.json", json(serverJson(sources))],
          ["/.well-known/mcp/server-card.json", json(serverCard(sources))],
        ] as const)),
  ]);
}

/** Serves what agents read before their first request. */
export function createTexts({ baseUrl, docsUrl, securityContact, isMcpOn, routes }: TextsDeps): Hono {
  const sources = () => ({
    ...{ baseUrl: baseUrl.replace(/\/$/, ""), docsUrl, securityContact },
    ...{ endpoints: listEndpoints(routes()), tools: isMcpOn ? tools : undefined },
  });
  // The same for every request of a day: built on the first one, when all routes are registered.
  let cached: { day: number; texts: Map<string, Text & { etag: string }> } | undefined;
  const texts = () => {
    const day = Math.floor(Date.now() / dayMs);
    if (cached?.day !== day) {
      const built = [...buildTexts(sources(), day)];
      cached = {
        day,
        texts: new Map(built.map(([path, text]) => [path, { ...text, etag: etagOf(text.text) }])),
      };
    }
    return cached.texts;
  };

  const app = new Hono();
  const answer = (c: Context) => {
    const found = texts().get(c.req.path);
    if (found === undefined) return c.notFound();
    const headers = { "cache-control": "public, max-age=300", etag: found.etag };
    if (c.req.header("if-none-match") === found.etag) return c.body(null, 304, headers);
    return c.body(found.text, 200, { ...headers, "content-type": found.type });
  };
  for (const path of textPaths({ isMcpOn, securityContact })) app.get(path, answer);
  return app;
}

/** The paths that {@link createTexts} serves. */
export function textPaths({
  isMcpOn,
  securityContact,
}: Pick<TextsDeps, "isMcpOn" | "securityContact">): string[] {
  const sources = { baseUrl: "http://localhost", docsUrl: "", endpoints: [], securityContact };
  return [...buildTexts({ ...sources, tools: isMcpOn ? tools : undefined }, 0).keys()];
}
