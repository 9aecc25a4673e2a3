/** Runs a GraphQL query. Throws unless it is answered without errors. */
export async function ask<Data = unknown>(
  port: number,
  query: string,
  variables: Record<string, unknown>,
): Promise<Data> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  const { data, errors } = JSON.parse(text) as { data?: Data; errors?: unknown };
  if (response.status !== 200 || errors !== undefined || data == null) {
    throw new Error(`GraphQL answered ${response.status}: ${text}`);
  }
  return data;
}
