import { type Address, hexToNumber } from "viem";
import { links, tokenDescription } from "./names.ts";
import { drawPicture } from "./pictures.ts";
import { createRandom } from "./random.ts";
import { creatorAddresses, findCreatorAccount, traderAddresses } from "./traders.ts";
import type { MarketToken } from "./view.ts";

/** The fraction of tokens that are registered. */
const registeredShare = 0.85;

/** The number of concurrent registrations. */
const maxConcurrent = 8;

/** The fraction of registrations with a picture. */
const picturedShare = 0.8;

type TypedData = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address };
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
};

/**
 * Creates a function that registers most of the market's tokens through the API, once each, as an agent would. It signs if the
 * creator has a key. It throws if the API can't be reached or refuses; the next call tries again.
 */
export function createRegistrar(apiUrl: string, signal: AbortSignal) {
  const done = new Set<Address>();
  let typedData: TypedData | undefined;

  async function sign(token: MarketToken, body: Record<string, string | number>) {
    const creator = findCreatorAccount(token.creator);
    if (creator === undefined) return {};
    typedData ??= ((await getJson(`${apiUrl}/api`, signal)) as { registrationSignature: TypedData })
      .registrationSignature;
    const { domain, types, primaryType } = typedData;
    const issuedAt = Math.floor(Date.now() / 1_000);
    const given: Record<string, unknown> = { ...body, issuedAt };
    const message = Object.fromEntries(
      (types[primaryType] ?? []).map(({ name }) => [name, given[name] ?? ""]),
    );
    return { issuedAt, signature: await creator.signTypedData({ domain, types, primaryType, message }) };
  }

  async function isListed(mint: Address): Promise<boolean> {
    const { total } = (await getJson(`${apiUrl}/api/tokens?mint=${mint}`, signal)) as { total: number };
    return total > 0;
  }

  /** Resolves to undefined where the service has no room for the picture. */
  async function upload(mint: Address): Promise<string | undefined> {
    const form = new FormData();
    const picture = await drawPicture(createRandom(hexToNumber(`0x${mint.slice(10, 18)}`) | 0));
    form.set("file", new Blob([picture]), "picture.png");
    // As bytes: a form that is still being read when its request is aborted would end the process (nodejs/undici).
    const body = await new Response(form).blob();
    const request = { headers: { "content-type": body.type }, body: await body.arrayBuffer() };
    const answer = await send(`${apiUrl}/api/upload-image`, request, { signal, accepted: 503 });
    if (answer.status === 503) return undefined;
    return ((await answer.json()) as { url: string }).url;
  }

  async function registerOnce(token: MarketToken): Promise<void> {
    // Seeded with the address, so that a token has the same description after a restart.
    const random = createRandom(hexToNumber(`0x${token.address.slice(2, 10)}`) | 0);
    const isWanted = random.chance(registeredShare);
    if (isWanted && !(await isListed(token.address))) {
      const { address: mint, name, symbol, creator, burnPercent } = token;
      const imageUrl = random.chance(picturedShare) ? await upload(mint) : undefined;
      const body = {
        mint,
        name,
        symbol,
        creator,
        burnPercent,
        description: tokenDescription(random, token),
        ...(imageUrl === undefined ? {} : { imageUrl }),
        ...links(random, token),
      };
      await register(`${apiUrl}/api/tokens`, { ...body, ...(await sign(token, body)) }, signal);
    }
    done.add(token.address);
  }

  return async function registerMissing(tokens: Iterable<MarketToken>): Promise<void> {
    // Tokens created by users are left for them to register.
    const left = [...tokens].filter(({ address, creator }) => isSimulated(creator) && !done.has(address));
    while (left.length > 0) await Promise.all(left.splice(0, maxConcurrent).map(registerOnce));
  };
}

function isSimulated(creator: Address): boolean {
  return traderAddresses.includes(creator) || creatorAddresses.includes(creator);
}

async function register(url: string, body: object, signal: AbortSignal): Promise<void> {
  const headers = { "content-type": "application/json" };
  // 409: a user has registered the token already.
  await send(url, { headers, body: JSON.stringify(body) }, { signal, accepted: 409 });
}

type SendOptions = {
  signal: AbortSignal;
  /** A status that is no failure. */
  accepted: number;
};

async function send(url: string, request: RequestInit, { signal, accepted }: SendOptions): Promise<Response> {
  const timeout = AbortSignal.timeout(10_000);
  const response = await fetch(url, {
    ...request,
    method: "POST",
    signal: AbortSignal.any([signal, timeout]),
  });
  if (response.ok || response.status === accepted) return response;
  throw new Error(`POST ${url} answered ${response.status}: ${await response.text()}`);
}

async function getJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) });
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}`);
  return await response.json();
}
