import { createRandom, type Random } from "../../../local/market/random.ts";
import { searchText } from "../../../offchain/search.ts";
import { addressOf } from "./addresses.ts";
import { chainId, createdTokens, type FixtureSize, timeline } from "./size.ts";
import { adjectives, chineseWords, emoji, nouns, planted, prose } from "./words.ts";

/** What both the chain and a registration say of a token. `index` counts tokens in the order of their creation. */
export type SeededToken = {
  index: number;
  address: string;
  name: string;
  symbol: string;
  creator: string;
  burn_percent: number;
};

/** A row of offchain.registration. */
export type SeededRegistration = Omit<SeededToken, "index" | "address"> & {
  chain_id: number;
  mint: string;
  description: string | null;
  image_url: string | null;
  twitter_url: string | null;
  website_url: string | null;
  verified: boolean;
  registered_at: string;
  version: number;
  search: string;
};

const seed = 90_210;

/** Numbers of creators who are looked for: of 2 % of all tokens, and of five tokens. */
export const bigCreator = addressOf("creator", 0);
export const smallCreator = addressOf("creator", 1);

/** Every token, in the order of creation, most with a registration. The same for the same size, each time. */
export function* seededTokens(
  size: FixtureSize,
): Generator<{ token: SeededToken; registration: SeededRegistration | undefined }> {
  const random = createRandom(seed);
  const count = createdTokens(size);
  const fifth = Math.floor(count / 5);
  let left = size.tokens;
  for (let index = 0; index < count; index++) {
    const { name, symbol } = nameAndSymbol(random);
    const creator = index % fifth === 3 ? smallCreator : creatorOf(random, index, count);
    const token = {
      index,
      address: addressOf("token", index),
      name,
      symbol,
      creator,
      burn_percent: random.integer(30, 70),
    };
    const isUnique = index === Math.floor(size.tokens / 2);
    const content = contentOf(random, isUnique);
    // So that exactly as many are registered as are asked for.
    const isRegistered = isUnique || creator === smallCreator || random.integer(1, count - index) <= left;
    if (!isRegistered || left === 0) {
      yield { token, registration: undefined };
      continue;
    }
    const version = size.tokens - left + 1;
    left--;
    yield { token, registration: registrationOf(token, content, version, count) };
  }
}

type Content = Pick<
  SeededRegistration,
  "description" | "image_url" | "twitter_url" | "website_url" | "verified"
>;

function registrationOf(
  { index, address, ...said }: SeededToken,
  content: Content,
  version: number,
  count: number,
): SeededRegistration {
  const seconds = timeline.start + Math.floor((index * (timeline.end - timeline.start)) / count) + 20;
  return {
    ...said,
    ...content,
    chain_id: chainId,
    mint: address,
    registered_at: new Date(seconds * 1_000).toISOString(),
    version,
    search: searchText({ ...said, description: content.description }),
  };
}

function nameAndSymbol(random: Random): { name: string; symbol: string } {
  const kind = random.fraction();
  if (kind < 0.06) {
    const name = `${random.pick(chineseWords)}${random.chance(0.5) ? random.pick(chineseWords) : ""}币`;
    return {
      name,
      symbol: random.chance(0.5) ? name.slice(0, 2) : random.pick(nouns).slice(0, 4).toUpperCase(),
    };
  }
  const noun = random.pick(nouns);
  const symbol = noun.slice(0, random.integer(3, 6)).toUpperCase();
  if (kind < 0.1) return { name: `${random.pick(emoji)}${capitalized(noun)}${random.pick(emoji)}`, symbol };
  return {
    name: `${capitalized(random.pick(adjectives))} ${capitalized(noun)}${random.chance(0.3) ? ` ${random.integer(2, 9_999)}` : ""}`,
    symbol,
  };
}

/** One with 2 % of all tokens, a few thousand who share another 18 % by Zipf's law, and many with one. */
function creatorOf(random: Random, index: number, count: number): string {
  const kind = random.fraction();
  if (kind < 0.02) return bigCreator;
  if (kind > 0.2) return addressOf("creator", 1_000_000 + index);
  const others = Math.max(10, Math.floor(count / 200));
  return addressOf("creator", 10 + Math.floor(others ** random.fraction()));
}

function contentOf(random: Random, hasUniqueWord: boolean): Content {
  const url = (host: string) => `https://${host}/${random.pick(adjectives)}${random.pick(nouns)}`;
  return {
    description: hasUniqueWord ? `The one and only ${planted.once}.` : description(random),
    image_url: random.chance(0.7) ? `https://images.example/${random.integer(1, 2 ** 31)}.webp` : null,
    twitter_url: random.chance(0.5) ? url("x.com") : null,
    website_url: random.chance(0.2) ? url("launch.example") : null,
    verified: random.chance(0.6),
  };
}

/** Up to 400 characters; nothing for one token in ten that has no planted word. */
function description(random: Random): string | null {
  const words = planted.shares.filter(({ share }) => random.chance(share)).map(({ word }) => word);
  const length = random.chance(0.1) ? 0 : random.integer(0, 370 - 12 * words.length);
  if (length === 0 && words.length === 0) return null;
  let text = words.map(capitalized).join(" ");
  while (text.length < length) text += ` ${random.pick(prose)}`;
  return text.trim();
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
