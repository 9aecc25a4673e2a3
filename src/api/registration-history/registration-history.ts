import { maxEarlier } from "../../../offchain/store.ts";
import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { PooledDatabase } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { refuseHidden } from "../market/hidden-token.query.ts";
import { readEntry } from "../tokens/entry/entries.query.ts";
import { type EarlierRow, readEarlierRegistrations } from "./registration-history.query.ts";
import {
  changeableFields,
  type RegistrationHistory,
  type RegistrationVersion,
  registrationHistoryRoute,
} from "./registration-history.routes.ts";

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
