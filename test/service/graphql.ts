/** Answers a GraphQL query of the service at `url`. Throws when the answer has errors. */
export async function query<Data>(url: string, text: string, variables: object = {}): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: text, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}
