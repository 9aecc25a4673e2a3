import { auditServer } from "graphql-http";
import { beforeAll, expect, test } from "vitest";
import { sharedService } from "../service/shared-service.ts";

/* GraphQL over HTTP: https://graphql.github.io/graphql-over-http/draft/ */

let url: string;

beforeAll(async () => {
  const { service } = await sharedService();
  url = `${service.indexer.url}/graphql`;
});

const standard = "application/graphql-response+json";

const post = (query: string, accept?: string) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(accept === undefined ? {} : { accept }) },
    body: JSON.stringify({ query }),
  });

const get = (parameters: Record<string, string>, accept = standard) =>
  fetch(`${url}?${new URLSearchParams(parameters)}`, { headers: { accept } });

const typeOf = (response: Response) => response.headers.get("content-type")?.replace(/;.*/, "");

test("the specification's audits find no error", async () => {
  const results = await auditServer({ url });
  expect(results.length).toBeGreaterThan(40);
  expect(results.flatMap((result) => (result.status === "error" ? [result.name] : []))).toEqual([]);
});

test.each([
  ["a syntax error", "{", "syntax_error"],
  ["an unknown field", "{ nothing }", "invalid_query"],
  ["a bad argument", "{ tokens(limit: -1) { items { name } } }", "invalid_argument"],
  ["a bad cursor", '{ tokens(after: "x") { items { name } } }', "invalid_cursor"],
])(
  "%s is 400 in the media type of the specification, and 200 in application/json",
  async (_, query, code) => {
    for (const [accept, type, status] of [
      [standard, standard, 400],
      [`application/json;q=0.5, ${standard}`, standard, 400],
      ["application/json", "application/json", 200],
      ["*/*", "application/json", 200],
      [undefined, "application/json", 200],
    ] as const) {
      const response = await post(query, accept);
      const { data, errors } = (await response.json()) as { data?: object; errors: { extensions: object }[] };
      expect([response.status, typeOf(response), data, errors[0]?.extensions]).toEqual([
        ...[status, type, undefined],
        { code },
      ]);
    }
  },
);

test("a query in the URL is answered in JSON", async () => {
  const query =
    "query all($limit: Int!) { tokens(limit: $limit) { items { name } } } query none { __typename }";
  for (const accept of [standard, "application/json", "*/*"]) {
    const response = await get({ query, variables: '{"limit":0}', operationName: "all" }, accept);
    expect(response.status).toBe(200);
    expect(typeOf(response)).toBe(accept === standard ? standard : "application/json");
    expect(await response.json()).toEqual({ data: { tokens: { items: [] } } });
  }
});

test.each<Record<string, string>>([
  { query: "{ __typename }", variables: "{" },
  { query: "{ __typename }", variables: "[]" },
  { query: "{ __typename }", extensions: "{" },
])("malformed URL parameters are answered with 400: %j", async (parameters) => {
  const response = await get(parameters, "application/json");
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: "malformed_request" } }] });
});

test("what a request has and GraphQL doesn't know is refused, with the nearest known name", async () => {
  const query = "query some($limit: Int) { tokens(limit: $limit) { items { name } } }";
  const send = async (parameters: string, body: object) => {
    const response = await fetch(`${url}${parameters}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return [response.status, await response.json()];
  };
  expect(await send("", { query, variable: { limit: 0 } })).toMatchObject([
    400,
    { errors: [{ message: '"variable" is not a field of this request: did you mean variables?' }] },
  ]);
  expect(await send("", { query, variables: { limits: 0 } })).toMatchObject([
    200,
    {
      errors: [
        {
          message: "The query has no variable $limits: it declares $limit.",
          extensions: { code: "invalid_query" },
        },
      ],
    },
  ]);
  expect(await send("?minblock=1", { query })).toMatchObject([
    400,
    {
      code: "invalid_request",
      detail: "minblock is not a parameter of this request: did you mean minBlock?",
    },
  ]);
  // In the body of a POST alone.
  expect(await send("?variables={}", { query })).toMatchObject([400, { code: "invalid_request" }]);
  const all = { query, variables: { limit: 0 }, operationName: "some", extensions: {} };
  expect(await send("?chainId=56", all)).toEqual([200, { data: { tokens: { items: [] } } }]);
  const inUrl = await get({ query, variable: "{}" });
  expect([inUrl.status, await inUrl.json()]).toMatchObject([
    400,
    { errors: [{ message: '"variable" is not a parameter of this request: did you mean variables?' }] },
  ]);
});

test("a batch and the hash of a query are refused in a way that clients understand", async () => {
  const send = async (body: unknown) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return [response.status, await response.json()];
  };
  expect(await send([{ query: "{ __typename }" }])).toEqual([
    400,
    {
      errors: [
        {
          message: expect.stringContaining("Batches of queries are not supported"),
          extensions: { code: "malformed_request" },
        },
      ],
    },
  ]);
  const extensions = { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } };
  const refusal = {
    errors: [
      { message: "PersistedQueryNotSupported", extensions: { code: "PERSISTED_QUERY_NOT_SUPPORTED" } },
    ],
  };
  expect(await send({ operationName: "some", variables: {}, extensions })).toEqual([200, refusal]);
  const inUrl = await get({ extensions: JSON.stringify(extensions) }, "application/json");
  expect([inUrl.status, await inUrl.json()]).toEqual([200, refusal]);
  // With the query beside it, as these clients send it then.
  const query = "{ __typename }";
  expect(await send({ query, extensions })).toEqual([200, { data: { __typename: "Query" } }]);
});

test("a browser gets the editor, even with a query in the URL", async () => {
  const response = await get({ query: "{ __typename }" }, "text/html,application/xhtml+xml,*/*;q=0.8");
  expect(typeOf(response)).toBe("text/html");
  expect(response.headers.get("vary")).toContain("Accept");
});

test("introspection returns the descriptions", async () => {
  const response = await post('{ __type(name: "curve") { description fields { name description } } }');
  const { data } = (await response.json()) as {
    data: { __type: { description: string; fields: { name: string; description: string }[] } };
  };
  expect(data.__type.description).toMatch(/bonding curve/);
  expect(data.__type.fields.find(({ name }) => name === "virtualBnbReserves")?.description).toMatch(/^Wei/);
});
