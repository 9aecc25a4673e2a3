import { createRoute, z } from "@hono/zod-openapi";
import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { PooledDatabase } from "../database/database.ts";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, minBlock, mintParameter } from "../http/parameters.schema.ts";
import { problems, shownTokenProblems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";
import { refuseHidden } from "../market/hidden-token.query.ts";
import { type MetadataRow, readMetadata } from "./metadata.query.ts";

const link = z.string().optional();

const metadata = z
  .object({
    name: z.string(),
    symbol: z.string(),
    decimals: z.literal(18),
    description: z.string().openapi({ description: "Empty if there is none." }),
    image: z
      .string()
      .openapi({ description: "URL (http, https or ipfs) of the image; empty if there is none." }),
    external_url: link.openapi({ description: "The token's website." }),
    website: link,
    twitter: link,
    telegram: link,
    mint: z.string(),
    chainId: z.int(),
    creator: z.string(),
    registered: z.boolean().openapi({ description: "Whether anyone has registered the token." }),
    verified: z.boolean().openapi({ description: "Whether the creator signed the registration." }),
  })
  .openapi("Metadata");

export type Metadata = z.input<typeof metadata>;

const metadataRoute = createRoute({
  method: "get",
  path: "/api/metadata/{mint}",
  operationId: "getMetadata",
  tags: ["Tokens"],
  summary:
    "Name, symbol, description, image and links of a token, registered or not, for wallets and explorers.",
  description:
    "In the format that wallets and explorers expect. A value that is not registered is an empty string or left out.",
  // Cached briefly, since the token may yet be registered, or its registration replaced by one that the creator signed.
  middleware: withEtag("public, max-age=30, stale-while-revalidate=300"),
  request: { params: mintParameter, query: z.object({ chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The metadata.", metadata),
    ...problems(shownTokenProblems),
  },
});

export function createMetadata({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter().openapi(metadataRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const chain = chains.choose(c.req.valid("query").chainId);
    const [row] = await Promise.all([readMetadata(db, chain.id, mint), refuseHidden(db, chain.id, mint)]);
    if (row === undefined) throw unknownToken(mint, chain.id);
    return c.json(toMetadata(row), 200);
  });
}

/** Maps a token to metadata, under the names that wallets and explorers expect. A field without a value is left out. */
function toMetadata({ token, registration }: MetadataRow): Metadata {
  return {
    name: token.name,
    symbol: token.symbol,
    decimals: 18,
    description: registration?.description ?? "",
    image: registration?.imageUrl ?? "",
    external_url: registration?.websiteUrl ?? undefined,
    twitter: registration?.twitterUrl ?? undefined,
    telegram: registration?.telegramUrl ?? undefined,
    website: registration?.websiteUrl ?? undefined,
    mint: token.address,
    chainId: token.chainId,
    creator: token.creator,
    registered: registration !== null,
    verified: registration?.verified ?? false,
  };
}
