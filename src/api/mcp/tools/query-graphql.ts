import { z } from "zod";
import { chainId } from "../inputs.ts";
import { maxCharacters } from "../pages.ts";
import { readingTool, ToolError } from "../tool.ts";
import { plainValue, untrustedValue } from "../untrusted.ts";

export const queryGraphql = readingTool({
  name: "query_graphql",
  title: "Query GraphQL",
  description:
    'Runs one read-only GraphQL query over tokens, curves, trades, holders and accounts, for questions that no other tool answers. Ask for few fields and rows: results over 20,000 characters are refused. Introspect with { __type(name: "token") { fields { name } } }.',
  isExact: true,
  isOpenWorld: true,
  input: z.object({
    query: z
      .string()
      .min(1)
      .max(10_000)
      .describe("A GraphQL query.")
      .meta({ examples: ['{ tokens(limit: 3, orderBy: "createdAt") { items { address holderCount } } }'] }),
    variables: z.record(z.string(), z.unknown()).optional().describe("Values for the query's variables."),
    chainId: chainId.describe("The chain of minBlock and block. The query names its own."),
  }),
  output: z.object({ untrusted: untrustedValue }),
  async run({ query, variables, chainId }, { askGraphql }) {
    const answer = await askGraphql({ query, variables }, { chainId });
    if (answer.errors !== undefined && answer.errors.length > 0) {
      const messages = answer.errors.map(({ message }) => String(plainValue(message)));
      const text = messages.slice(0, 3).join("; ");
      throw new ToolError("graphql_error", `${text}${/[.?!]$/.test(text) ? "" : "."} Correct the query.`);
    }
    const untrusted = plainValue(answer.data);
    const size = JSON.stringify(untrusted).length;
    if (size > maxCharacters - 5_000) {
      throw new ToolError(
        "result_too_large",
        `The result has ${size} characters: ask for fewer fields or a smaller limit, and continue with after.`,
      );
    }
    return { untrusted };
  },
});
