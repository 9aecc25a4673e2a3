import type { Random } from "./random.ts";

const adjectives = [
  "Sleepy",
  "Turbo",
  "Cosmic",
  "Grumpy",
  "Tiny",
  "Golden",
  "Lucky",
  "Quantum",
  "Salty",
  "Neon",
  "Humble",
  "Royal",
  "Fluffy",
  "Stoic",
  "Electric",
  "Midnight",
  "Wobbly",
  "Honest",
  "Lunar",
  "Pixel",
  "Brave",
  "Zen",
];
const nouns = [
  "Otter",
  "Capybara",
  "Pancake",
  "Walrus",
  "Dumpling",
  "Penguin",
  "Toad",
  "Llama",
  "Rocket",
  "Mango",
  "Badger",
  "Noodle",
  "Hamster",
  "Goose",
  "Wombat",
  "Cactus",
  "Panda",
  "Squid",
  "Waffle",
  "Yeti",
  "Turtle",
  "Frog",
];

/** Names as on other launchpads of this chain, most of which are Chinese: at most 16 bytes, since most are their own symbol. */
const chineseNames = [
  ["火箭蛙", "火箭蛙"],
  ["招财猫", "招财猫"],
  ["打工牛", "打工牛"],
  ["躺平熊猫", "躺平"],
  ["锦鲤附体", "锦鲤"],
  ["月饼兔", "月饼兔"],
  ["功夫鸡", "功夫鸡"],
  ["奶茶鲸", "奶茶鲸"],
  ["暴富青蛙", "暴富蛙"],
  ["韭菜之王", "韭菜"],
  ["元宝龙", "元宝龙"],
  ["麻将狗", "麻将狗"],
  ["早睡早起", "早睡"],
  ["瓜子大亨", "瓜子"],
  ["长城蜗牛", "蜗牛"],
  ["外卖骑士", "外卖"],
  ["修仙鹅", "XXGOOSE"],
  ["佛系乌龟", "佛系龟"],
] as const;
const chineseShare = 0.3;

/** A name and symbol such as Sleepy Otter, SOTTER: at most 64 and 16 bytes. */
export function tokenName(random: Random): { name: string; symbol: string } {
  if (random.chance(chineseShare)) {
    const [name, symbol] = random.pick(chineseNames);
    return { name, symbol };
  }
  const adjective = random.pick(adjectives);
  const noun = random.pick(nouns);
  const symbol = random.chance(0.5) ? noun : `${adjective[0]}${noun}`;
  return { name: `${adjective} ${noun}`, symbol: symbol.toUpperCase() };
}

/** Descriptions of tokens, with the placeholders `{name}`, `{animal}` and `{symbol}`. */
const templates = [
  "{name} was told to wait for the right moment. It has been waiting since breakfast.",
  "No roadmap, no team, no promises: one {animal}, a bonding curve, and the internet.",
  "Half of crypto runs on caffeine. {symbol} runs on naps.",
  "They said a {animal} can't read a candle chart. {name} never learned to read at all.",
  "{symbol} burns more than it keeps, like every {animal} that ever found the kitchen open.",
  "A community token for people who talk to their {animal} and get better advice than on the timeline.",
  "{name} once missed a graduation by two blocks. Never again.",
  "The first {animal} with a diploma, if the last ten percent of the curve would please hurry up.",
  "Rumour has it that every {symbol} holder gets a good night's sleep. Rumour is all we have.",
  "{name} does not pump. {name} does not dump. {name} waddles.",
  "Fair launch, no insiders. Unless you count the {animal}, who was inside the whole time.",
  "Built on a Tuesday, by accident, by someone who only wanted to test a vanity address.",
  "If you can read this, you are early. If you can't, you are a {animal}.",
  "{symbol}: for everyone who bought the top, the bottom, and the merchandise.",
  "The whitepaper is one page long and has a picture of a {animal} on it.",
  "{name} asked for nothing but gas, and gave the rest to the curve.",
];

const chineseTemplates = [
  "{name}：没有路线图，没有团队，只有一条曲线和一群朋友。",
  "别人上班，{name}上链。",
  "{name}说：不急，慢慢来，先喝杯茶。",
  "公平发射，合约开源，剩下的交给社区。",
  "据说持有{symbol}的人睡得都很香。",
  "昨天没买{name}，今天来看热闹。",
];

const isChinese = (name: string) => /\p{Script=Han}/u.test(name);

export function tokenDescription(random: Random, { name, symbol }: { name: string; symbol: string }): string {
  const animal = (name.split(" ").at(-1) ?? name).toLowerCase();
  return random
    .pick(isChinese(name) ? chineseTemplates : templates)
    .replaceAll("{name}", name)
    .replaceAll("{symbol}", symbol)
    .replaceAll("{animal}", animal);
}

/** Links that lead nowhere: `.example` is reserved, and these names are longer than those on X and Telegram, of 15 and 32 characters. */
export function links(random: Random, { name }: { name: string }) {
  const slug = isChinese(name)
    ? `token-${random.integer(100, 999)}`
    : name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const all = {
    websiteUrl: `https://${slug}.example/`,
    twitterUrl: `https://x.com/${slug.replaceAll("-", "_")}_on_a_local_chain`,
    telegramUrl: `https://t.me/${slug.replaceAll("-", "_")}_on_a_local_chain_of_this_machine`,
  };
  return Object.fromEntries(Object.entries(all).filter(() => random.chance(0.6)));
}
