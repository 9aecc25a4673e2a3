import { expect } from "vitest";
import { untilServed } from "./condition.ts";
import { createOpenApiCheck, type OpenApiDocument } from "./openapi-check.ts";

// biome-ignore lint/suspicious/noExplicitAny: it is checked against the OpenAPI document.
export type Answer = { status: number; headers: Headers; body: any; text: string };

export type RestClient = Awaited<ReturnType<typeof createRestClient>>;

/** A client of the service at `url` that fails if an answer doesn't match the service's OpenAPI document. */
export async function createRestClient(url: string) {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenApiDocument;
  const check = createOpenApiCheck(document);

  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(url + path, init);
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    const problem = check.problemOf(init.method ?? "GET", path, response.status, type, text);
    expect(problem, "The answer is not what the OpenAPI document promises").toBeUndefined();
    if (response.status >= 400 && !path.startsWith("/api/health")) expectProblem(response, type, text);
    return {
      status: response.status,
      headers: response.headers,
      body: type.includes("json") && text !== "" ? JSON.parse(text) : undefined,
      text,
    };
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    request(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  return {
    document,
    request,
    /** Requests any path, without checking the answer. */
    fetch: (path: string, init: RequestInit) => fetch(url + path, init),
    get: (path: string, headers: Record<string, string> = {}) => request(path, { headers }),
    post,
    /** Runs a statement over `/sql`, again if a busy machine took longer than its limit, or had no turn for it. */
    sql: (sql: string, params: unknown[] = []) =>
      untilServed("an answer of /sql", () => post("/sql", { sql, params }), [503, 504]),
    /**
     * Requests every route that is read with GET, with these values for its required parameters, and for others that are named after
     * the path. Resolves to the statuses by path. Of a stream, only the start is read.
     */
    async getEveryRoute(values: Record<string, string>): Promise<Record<string, number>> {
      const statuses: Record<string, number> = {};
      for (const [path, { get }] of Object.entries(document.paths)) {
        if (get === undefined) continue;
        const parameter = (name: string) => values[`${path} ${name}`] ?? values[name] ?? `no ${name}`;
        const query = new URLSearchParams();
        for (const { name, in: place, required } of get.parameters ?? []) {
          const isGiven = required || `${path} ${name}` in values;
          if (isGiven && place === "query") query.set(name, parameter(name));
        }
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameter(name));
        const response = await fetch(`${url}${filled}?${query}`);
        await response.body?.cancel();
        statuses[path] = response.status;
      }
      return statuses;
    },
    /** The mints of a page of the token list, in its order. */
    async mints(search = ""): Promise<string[]> {
      const { status, body } = await request(`/api/tokens?${search}`);
      expect(status).toBe(200);
      return body.tokens.map(({ mint }: { mint: string }) => mint);
    },
  };
}

/** Expects an RFC 9457 problem that reveals no internals. */
function expectProblem(response: Response, type: string, text: string): void {
  if (text === "") return;
  expect(type).toBe("application/problem+json");
  const problem = JSON.parse(text);
  expect(problem).toMatchObject({
    type: "about:blank",
    title: expect.stringMatching(/\w/),
    status: response.status,
    detail: expect.stringMatching(/\w/),
    code: expect.stringMatching(/^[a-z_]+$/),
  });
  expect(text).not.toMatch(/node_modules|\.ts:\d|file:\/\//);
}
