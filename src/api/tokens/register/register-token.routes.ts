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
    "Possible as soon as the creating transaction is mined. Everything is checked against the chain. A registration signed by the token's creator is marked as verified, and replaces an unsigned one or one that was signed earlier.",
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
      408: "The body came too slowly.",
      409: "Already registered with other content, or with a signature that is not older.",
      413: "The body has more than 64 kB.",
      415: "The body is not JSON.",
      422: "It contradicts the chain, the signature is not the creator's, or the operator's deny list refuses the content of a field.",
      451: "The operator has hidden the token: `detail` has the reason.",
      503: "The database is unavailable, the chain has to be queried and is unavailable, or too many registrations are waiting.",
    }),
  },
});
