import { createRoute } from "@hono/zod-openapi";
import { jsonBody } from "../../http/json-body.ts";
import { problems } from "../../http/problem.schema.ts";
import { tokenEntry } from "../entry/token-entry.schema.ts";
import { registrationBody } from "./registration.schema.ts";

const content = { "application/json": { schema: tokenEntry } };

export const registerTokenRoute = createRoute({
  method: "post",
  path: "/api/tokens",
  operationId: "registerToken",
  tags: ["Tokens"],
  summary: "Register a token that exists on the chain, so that it appears in the list.",
  description:
    "Works as soon as the creating transaction is mined. Everything is checked against the chain. An entry that the token's creator signed is marked as verified, and replaces an unsigned entry or one signed earlier.",
  middleware: [jsonBody({ maxBytes: 64 * 1_024 })] as const,
  request: { body: { required: true, content: { "application/json": { schema: registrationBody } } } },
  responses: {
    201: { description: "Registered. It appears in the list as soon as its block is indexed.", content },
    200: {
      description: "Already registered with this content, or replaced by what the creator signed.",
      content,
    },
    ...problems({
      400: "A field is wrong, missing or unknown.",
      404: "The factory has no such token, or the chain is not indexed here.",
      408: "The body arrived too slowly.",
      409: "Already registered with other content, or signed with a signature that is not older.",
      413: "The body is larger than 64 kB.",
      415: "The body is not JSON.",
      422: "The registration contradicts the chain, the signature is not the creator's, or a field matches the operator's deny list.",
      451: "The operator has hidden the token: `detail` has the reason.",
      503: "The database is unavailable, or the chain is, where it has to be asked; or too many registrations are waiting.",
    }),
  },
});
