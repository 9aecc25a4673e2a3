import { type Context, Hono } from "hono";
import { LRUCache } from "lru-cache";
import { createFairSemaphore } from "../../concurrency/semaphore.ts";
import { coalesce } from "../../concurrency/single-flight.ts";
import { clientIp, clientKey, onBehalfOf } from "../../http/client-ip.ts";
import { busy } from "../../http/problem.ts";
import type { Days, Stats } from "../../stats/stats.schema.ts";
import type { TokenDetails } from "../../tokens/entry/token-entry.schema.ts";
import { homeCard, tokenCard } from "./cards.ts";
import { type CardBrand, renderCard } from "./svg.ts";
import { cardLanguage, cardWords } from "./words.ts";

export type CardDeps = {
  /** The service itself, whose public API provides the data. */
  service: () => Hono;
  /** Reads a stored image as PNG on behalf of a client; undefined if it is unavailable. */
  readPicture: (cid: string, client: string) => Promise<Buffer | undefined>;
  /** The number of trusted proxies in front of the service, for X-Forwarded-For. */
  trustedHops: number;
  brand: CardBrand;
};

/** The API answered with an error instead of the data for a card; carries that response. */
class NoAnswerError extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super("the API has no answer for the card");
    this.response = response;
  }
}

const imageUri = /^ipfs:\/\/(baf(?:krei|ybei)[a-z2-7]{52})$/;

/** Serves the preview images of shared links, PNGs of 1200 × 630 pixels, with words in the language of `lang` or of the client. */
export function createCardRoutes({ service, readPicture, trustedHops, brand }: CardDeps): Hono {
  const cards = createCards();
  const app = new Hono();

  async function ask<Answer>(c: Context, path: string): Promise<Answer> {
    const response = await requestService(service(), c, path);
    if (!response.ok) throw new NoAnswerError(response);
    return (await response.json()) as Answer;
  }

  async function readImageOf(c: Context, imageUrl: string | null, client: string) {
    const cid = imageUri.exec(imageUrl ?? "")?.[1];
    if (cid === undefined) return undefined;
    // Only images that the gateway would serve.
    const response = await requestService(service(), c, `/ipfs/${cid}`, { method: "HEAD" });
    return response.ok ? await readPicture(cid, client) : undefined;
  }

  async function serve(
    c: Context,
    key: string,
    createSvg: (client: string) => Promise<string>,
  ): Promise<Response> {
    const client = clientKey(clientIp(c, trustedHops));
    try {
      const png = await cards(key, client, () => createSvg(client));
      return c.body(new Uint8Array(png), 200, {
        "Content-Type": "image/png",
        "Cache-Control": "public, max-age=60",
        "Cross-Origin-Resource-Policy": "cross-origin",
        Vary: "Accept-Language",
      });
    } catch (error) {
      if (error instanceof NoAnswerError) return passOn(c, error.response.clone());
      throw error;
    }
  }

  app.get("/card.png", (c) => {
    const query = chainQuery(c);
    const language = cardLanguage(c);
    return serve(c, `home ${query} ${language}`, async () => {
      const [stats, days] = await Promise.all([
        ask<Stats>(c, `/api/stats${query}`),
        ask<Days>(c, `/api/stats/days${query}`),
      ]);
      return homeCard(stats, days, brand, cardWords[language]);
    });
  });

  app.get("/token/:mint{0x[0-9a-fA-F]{40}}/card.png", async (c) => {
    const mint = c.req.param("mint").toLowerCase();
    const path = `/api/token/${mint}${chainQuery(c)}`;
    // Checked on each request: a cached card must not be served once the token is hidden.
    const metadata = await requestService(service(), c, `/api/metadata/${mint}${chainQuery(c)}`);
    if (metadata.status === 451) return passOn(c, metadata);
    const language = cardLanguage(c);
    return await serve(c, `${path} ${language}`, async (client) => {
      const token = await ask<TokenDetails>(c, path);
      const picture = await readImageOf(c, token.imageUrl, client);
      return tokenCard(token, picture, brand, cardWords[language]);
    });
  });
  return app;
}

/** Requests the public API of the service itself, on behalf of the client of the given request. */
export async function requestService(
  service: Hono,
  c: Context,
  path: string,
  init?: RequestInit,
): Promise<Response> {
  return await service.fetch(onBehalfOf(c, new Request(`http://localhost${path}`, init)), c.env);
}

/** Returns an answer of the API to the client, with the quota that it counted for: that of pages would contradict a 429. */
export function passOn(c: Context, response: Response): Response {
  for (const name of ["RateLimit", "RateLimit-Policy"]) {
    const value = response.headers.get(name);
    if (value !== null) c.header(name, value);
  }
  return response;
}

/** Returns the API's query string for the chain in a page's URL. */
export function chainQuery(c: Context): string {
  const chain = namedChain(c);
  return chain === undefined ? "" : `?chainId=${chain}`;
}

/** Returns the chain that a page's URL names, if there is such a chain. */
export const namedChain = (c: Context) => chainIds.find((id) => id === c.req.query("chain"));
const chainIds = ["56", "97"] as const;

/** Size and maximum age of the cached cards. */
const cacheLimits = { bytes: 16 * 2 ** 20, milliseconds: 60_000 };

export const cardQueue = { concurrency: 1, maxWaiting: 500, maxWaitMs: 10_000 };

/**
 * Draws cards on request, one at a time, and caches them for a minute. Clients take turns, and get 503 if too many requests are
 * waiting. A client's concurrent requests for a card share one turn. They share none with other clients, whose limits may make it
 * fail or come late; the turns after the first find the card in the cache.
 */
export function createCards() {
  const cards = new LRUCache<string, Buffer>({
    maxSize: cacheLimits.bytes,
    sizeCalculation: (png, key) => png.length + key.length + 500,
    ttl: cacheLimits.milliseconds,
  });
  const waiting = new Map<string, Promise<Buffer>>();
  const limitConcurrency = createFairSemaphore({ ...cardQueue, refuse: () => busy("cards") });

  /** @param createSvg called when it is the card's turn */
  return async (key: string, client: string, createSvg: () => Promise<string>): Promise<Buffer> => {
    const cached = cards.get(key);
    if (cached !== undefined) return cached;
    return await coalesce(waiting, `${client} ${key}`, () =>
      limitConcurrency(client, async () => {
        const drawnMeanwhile = cards.get(key);
        if (drawnMeanwhile !== undefined) return drawnMeanwhile;
        const png = await renderCard(await createSvg());
        cards.set(key, png);
        return png;
      }),
    );
  };
}
