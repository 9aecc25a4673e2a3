import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, minBlock, mintParameter } from "../http/parameters.schema.ts";
import { problems, shownTokenProblems } from "../http/problem.schema.ts";

/** What a signed registration may change. */
export const changeableFields = [
  "description",
  "imageUrl",
  "twitterUrl",
  "telegramUrl",
  "websiteUrl",
] as const;

const version = z
  .object({
    since: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "When it was registered. Null if versions before it are no longer kept." }),
    verified: z.boolean().openapi({ description: "Whether the token's creator signed it." }),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    twitterUrl: z.string().nullable(),
    telegramUrl: z.string().nullable(),
    websiteUrl: z.string().nullable(),
    changed: z.array(z.enum(changeableFields)).openapi({
      description:
        "The fields that differ from the version before. Empty for the oldest, and after versions that are no longer kept.",
    }),
  })
  .openapi("RegistrationVersion");

export type RegistrationVersion = z.input<typeof version>;

const history = z
  .object({ mint: z.string(), chainId: z.int(), versions: z.array(version) })
  .openapi("RegistrationHistory");

export type RegistrationHistory = z.input<typeof history>;

export const registrationHistoryRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/registrations",
  operationId: "getRegistrationHistory",
  tags: ["Tokens"],
  summary: "What a token's registration says and said before, newest first.",
  description:
    "The first version is the current one. A signed registration replaces the one before; the first and the last 99 replaced ones are kept. Empty if nobody has registered the token.",
  middleware: withEtag(),
  request: { params: mintParameter, query: z.object({ chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The versions, newest first.", history),
    ...problems(shownTokenProblems),
  },
});
