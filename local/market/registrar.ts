import sharp from "sharp";
import { type Address, hexToNumber } from "viem";
import { pause } from "../../config/async.ts";
import { links, tokenDescription } from "./names.ts";
import { createRandom, type Random } from "./random.ts";
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
    const fields: Record<string, unknown> = { ...body, issuedAt };
    const message = Object.fromEntries(
      (types[primaryType] ?? []).map(({ name }) => [name, fields[name] ?? ""]),
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

/** Sends a request, again while the service says that it is too early (429): with RATE_LIMIT=on, the market has limits like anyone else. */
async function ask(url: string, request: RequestInit, signal: AbortSignal): Promise<Response> {
  for (;;) {
    const timeout = AbortSignal.timeout(10_000);
    const response = await fetch(url, { ...request, signal: AbortSignal.any([signal, timeout]) });
    if (response.status !== 429) return response;
    await response.body?.cancel();
    await pause(1_000 * (Number(response.headers.get("retry-after") ?? 1) || 0.1), signal);
  }
}

type SendOptions = {
  signal: AbortSignal;
  /** A status that is no failure. */
  accepted: number;
};

async function send(url: string, request: RequestInit, { signal, accepted }: SendOptions): Promise<Response> {
  const response = await ask(url, { ...request, method: "POST" }, signal);
  if (response.ok || response.status === accepted) return response;
  throw new Error(`POST ${url} answered ${response.status}: ${await response.text()}`);
}

async function getJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await ask(url, {}, signal);
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}`);
  return await response.json();
}

/* Pictures of made-up creatures and coins, so that a market looks like one. They are drawn from shapes, since a machine may lack fonts. */

const size = 200;

/** A background and a creature's colours. */
const palettes = [
  ["#ffd75e", "#f08a24", "#7a3d00"],
  ["#8be0a4", "#2f9e63", "#0d4429"],
  ["#9fd3ff", "#3b82f6", "#12306e"],
  ["#ffb3c7", "#e64980", "#6b0f38"],
  ["#d0bfff", "#7950f2", "#2f1570"],
  ["#ffe8cc", "#c2803f", "#4f2d10"],
  ["#c5f6fa", "#15aabf", "#0b4a54"],
  ["#f1f3f5", "#868e96", "#212529"],
  ["#ffc9c9", "#e03131", "#5c0d0d"],
  ["#e9fac8", "#74b816", "#2f4a07"],
  ["#22252b", "#f0b429", "#fff3bf"],
  ["#1b1e4b", "#5c7cfa", "#dbe4ff"],
] as const;

type Colours = { light: string; main: string; dark: string };
type Shape = (random: Random, colours: Colours) => string;

const backgrounds: Shape[] = [
  (_, { light }) => `<rect width="200" height="200" fill="${light}"/>`,
  (_, { light, dark }) =>
    `<defs><linearGradient id="b" x2="0.6" y2="1"><stop stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></linearGradient></defs><rect width="200" height="200" fill="url(#b)"/>`,
  (_, { light, main }) =>
    `<defs><radialGradient id="b"><stop stop-color="#fff"/><stop offset="0.5" stop-color="${light}"/><stop offset="1" stop-color="${main}"/></radialGradient></defs><rect width="200" height="200" fill="url(#b)"/>`,
  (random, { light, dark }) => {
    const rays = Array.from(
      { length: 12 },
      (_, at) =>
        `<path d="M100 100 70-90h60z" transform="rotate(${30 * at + random.integer(0, 8)} 100 100)" fill="${dark}" opacity="0.18"/>`,
    );
    return `<rect width="200" height="200" fill="${light}"/>${rays.join("")}`;
  },
  (random, { light, main }) => {
    const stars = Array.from(
      { length: 26 },
      () =>
        `<circle cx="${random.integer(0, size)}" cy="${random.integer(0, size)}" r="${random.integer(1, 4)}" fill="${main}" opacity="0.5"/>`,
    );
    return `<rect width="200" height="200" fill="${light}"/>${stars.join("")}`;
  },
];

const ears: Shape[] = [
  (_, { main, dark }) =>
    `<g fill="${main}" stroke="${dark}" stroke-width="5"><path d="M48 96 44 34l52 30zM152 96l4-62-52 30z"/></g>`,
  (_, { main, dark }) =>
    `<g fill="${main}" stroke="${dark}" stroke-width="5"><circle cx="52" cy="62" r="22"/><circle cx="148" cy="62" r="22"/></g>`,
  (_, { main, dark }) =>
    `<g fill="${main}" stroke="${dark}" stroke-width="5"><ellipse cx="74" cy="42" rx="15" ry="42"/><ellipse cx="126" cy="42" rx="15" ry="42"/></g>`,
  (_, { main, dark }) =>
    `<g fill="${main}" stroke="${dark}" stroke-width="5"><circle cx="68" cy="58" r="27"/><circle cx="132" cy="58" r="27"/></g>`,
  (_, { dark }) =>
    `<path d="M100 60V20m0 0c-12-14 12-14 0 0" fill="none" stroke="${dark}" stroke-width="8" stroke-linecap="round"/>`,
  () => "",
];

const heads: Shape[] = [
  (_, { main, dark }) =>
    `<circle cx="100" cy="112" r="66" fill="${main}" stroke="${dark}" stroke-width="5"/>`,
  (_, { main, dark }) =>
    `<ellipse cx="100" cy="116" rx="76" ry="58" fill="${main}" stroke="${dark}" stroke-width="5"/>`,
  (_, { main, dark }) =>
    `<rect x="36" y="52" width="128" height="124" rx="46" fill="${main}" stroke="${dark}" stroke-width="5"/>`,
  (_, { main, dark }) =>
    `<path d="M100 44c44 0 66 34 66 74s-28 60-66 60-66-20-66-60 22-74 66-74z" fill="${main}" stroke="${dark}" stroke-width="5"/>`,
];

const eyes: Shape[] = [
  (_, { dark }) => `<g fill="${dark}"><circle cx="74" cy="104" r="9"/><circle cx="126" cy="104" r="9"/></g>`,
  (random, { dark }) => {
    const look = random.integer(-6, 6);
    return `<g fill="#fff" stroke="${dark}" stroke-width="4"><circle cx="74" cy="100" r="21"/><circle cx="126" cy="100" r="21"/></g><g fill="#111"><circle cx="${74 + look}" cy="103" r="9"/><circle cx="${126 + look}" cy="103" r="9"/></g>`;
  },
  (_, { dark }) =>
    `<path d="M56 106q18-16 36 0M108 106q18-16 36 0" fill="none" stroke="${dark}" stroke-width="7" stroke-linecap="round"/>`,
  () =>
    `<g fill="#111"><rect x="46" y="90" width="46" height="24" rx="6"/><rect x="108" y="90" width="46" height="24" rx="6"/><path d="M90 94h20v7H90z"/></g><path d="m54 96 12 12" stroke="#fff" stroke-width="4"/>`,
  (_, { dark }) =>
    `<g stroke="${dark}" stroke-width="6" stroke-linecap="round"><path d="m62 92 22 20m0-20-22 20M116 92l22 20m0-20-22 20"/></g>`,
];

const mouths: Shape[] = [
  (_, { dark }) =>
    `<path d="M74 136q26 24 52 0" fill="none" stroke="${dark}" stroke-width="7" stroke-linecap="round"/>`,
  (_, { dark }) =>
    `<path d="M70 134h60q-4 30-30 30t-30-30z" fill="#b3243b" stroke="${dark}" stroke-width="5"/>`,
  (_, { dark }) =>
    `<path d="M82 126h36l-18 24z" fill="#ff9f1c" stroke="${dark}" stroke-width="5" stroke-linejoin="round"/>`,
  (_, { dark }) => `<path d="M78 144h44" stroke="${dark}" stroke-width="7" stroke-linecap="round"/>`,
  (_, { dark }) => `<ellipse cx="100" cy="146" rx="12" ry="15" fill="${dark}"/>`,
];

const hats: Shape[] = [
  () =>
    `<path d="m58 52 8-36 18 20 16-26 16 26 18-20 8 36z" fill="#ffd43b" stroke="#a86b00" stroke-width="5"/>`,
  () =>
    `<path d="M44 62h112M62 60V18h76v42" fill="#222" stroke="#222" stroke-width="8" stroke-linejoin="round"/>`,
  () => `<path d="M40 66q60-62 120 0z" fill="#e03131" stroke="#7d1111" stroke-width="5"/>`,
  () => "",
  () => "",
  () => "",
];

/** A PNG of 200 × 200 pixels: a creature of random parts. */
async function drawPicture(random: Random): Promise<Uint8Array<ArrayBuffer>> {
  const [light, main, dark] = random.pick(palettes);
  const colours = { light, main, dark };
  const parts = [backgrounds, ears, heads, eyes, mouths, hats].map((shapes) =>
    random.pick(shapes)(random, colours),
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${parts.join("")}</svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer());
}
