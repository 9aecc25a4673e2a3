import { createRoute, z } from "@hono/zod-openapi";
import { maxEarlier } from "../../../offchain/store.ts";
import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { PooledDatabase } from "../database/database.ts";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, minBlock, mintParameter } from "../http/parameters.schema.ts";
import { problems, shownTokenProblems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";
import { refuseHidden } from "../market/hidden-token.query.ts";
import { readEntry } from "../tokens/entry/entries.query.ts";
import { type EarlierRow, readEarlierRegistrations } from "./registration-history.query.ts";

/** What a signed registration may change. */
const changeableFields = ["description", "imageUrl", "twitterUrl", "telegramUrl", "websiteUrl"] as const;

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

type RegistrationHistory = z.input<typeof history>;

const registrationHistoryRoute = createRoute({
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

export function createRegistrationHistory({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter().openapi(registrationHistoryRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const chain = chains.choose(c.req.valid("query").chainId);
    const [row] = await Promise.all([readEntry(db, chain.id, mint), refuseHidden(db, chain.id, mint)]);
    if (row === undefined) throw unknownToken(mint, chain.id);
    const { id, registered_at: registeredAt } = row;
    const body: RegistrationHistory = {
      mint,
      chainId: chain.id,
      versions:
        id === null || registeredAt === null
          ? []
          : toVersions(
              {
                description: row.description,
                imageUrl: row.image_url,
                twitterUrl: row.twitter_url,
                telegramUrl: row.telegram_url,
                websiteUrl: row.website_url,
                verified: row.verified ?? false,
              },
              await readEarlierRegistrations(db, id),
              new Date(registeredAt),
            ),
    };
    return c.json(body, 200);
  });
}

type Content = Omit<EarlierRow, "registrationId" | "replacedAt">;

/** Each version begins when the one before was replaced. With as many as are kept, some after the first may be gone. */
function toVersions(current: Content, earlier: EarlierRow[], registeredAt: Date): RegistrationVersion[] {
  return [current, ...earlier].map((content, at) => {
    const previous = earlier[at];
    const isAfterGap = earlier.length >= maxEarlier && at === earlier.length - 1;
    const { description, imageUrl, twitterUrl, telegramUrl, websiteUrl, verified } = content;
    return {
      since: isAfterGap ? null : (previous?.replacedAt ?? registeredAt).toISOString(),
      verified,
      description,
      imageUrl,
      twitterUrl,
      telegramUrl,
      websiteUrl,
      changed:
        previous === undefined || isAfterGap
          ? []
          : changeableFields.filter((field) => (content[field] || null) !== (previous[field] || null)),
    };
  });
}
