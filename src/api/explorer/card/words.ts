import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";

/** The words of link previews in one language: of cards, whose numbers come as they are drawn, and of the tags beside them. */
export type CardWords = {
  /** For numbers. */
  locale: string;
  headline: string;
  traded: string;
  tokens: string;
  graduated: string;
  volumeOfDays: (days: number) => string;
  price: string;
  marketCap: string;
  sold: (percent: string) => string;
  isListed: string;
  holders: (count: string) => string;
  tradedInDay: (amount: string) => string;
  /** Of the home page and its card. */
  description: string;
  alt: string;
  /** Of a token without a description, and of a token's card. */
  tokenDescription: string;
  tokenAlt: (title: string) => string;
};

/** By language, as the explorer's catalogues are named. */
export const cardWords = {
  en: {
    locale: "en",
    headline: "Tokens on BNB Smart Chain",
    traded: "Traded in 24 h",
    tokens: "Tokens",
    graduated: "Graduated",
    volumeOfDays: (days) => `Volume of the last ${days} days`,
    price: "Price",
    marketCap: "Market cap",
    sold: (percent) => `${percent} of the curve is sold`,
    isListed: "Graduated: trades on the DEX",
    holders: (count) => `${count} holder${count === "1" ? "" : "s"}`,
    tradedInDay: (amount) => `${amount} traded in 24 h`,
    description:
      "Tokens on BNB Smart Chain: live boards, charts, holders and risk. Trade and create with your own wallet.",
    alt: "The launchpad in numbers",
    tokenDescription: "A token on the launchpad: price, trades, holders and risk.",
    tokenAlt: (title) => `${title}: price, market cap and progress`,
  },
  zh: {
    locale: "zh-CN",
    headline: "BNB Smart Chain 上的代币",
    traded: "24 小时成交额",
    tokens: "代币",
    graduated: "已毕业",
    volumeOfDays: (days) => `近 ${days} 天成交额`,
    price: "价格",
    marketCap: "市值",
    sold: (percent) => `内盘已售 ${percent}`,
    isListed: "已毕业，转入外盘",
    holders: (count) => `${count}${/[万亿]$/.test(count) ? "" : " "}位持有人`,
    tradedInDay: (amount) => `24 小时成交 ${amount}`,
    description: "BNB Smart Chain 上的代币：实时榜单、K 线、持有人和风险提示。用自己的钱包交易、发币。",
    alt: "平台数据一览",
    tokenDescription: "平台代币：价格、成交、持有人和风险提示。",
    tokenAlt: (title) => `${title}：价格、市值和内盘进度`,
  },
} satisfies Record<string, CardWords>;

export type CardLanguage = keyof typeof cardWords;

const isCardLanguage = (language: string | undefined): language is CardLanguage =>
  language !== undefined && Object.hasOwn(cardWords, language);

/** The language of a link's preview: the one that its `lang` names, or else the first of the client's that there is. */
export function cardLanguage(c: Context): CardLanguage {
  const languages = [c.req.query("lang"), ...acceptedLanguages(c.req.header("accept-language"))];
  return languages.find(isCardLanguage) ?? "en";
}

/** The languages that a client accepts, such as `zh`, in the order of preference. */
export const acceptedLanguages = (header = ""): string[] =>
  parseAccept(header)
    .filter(({ q }) => q > 0)
    .map(({ type }) => type.toLowerCase().split("-")[0] ?? "");
