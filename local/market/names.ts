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

/** A name and symbol such as Sleepy Otter, SOTTER: at most 64 and 16 bytes. */
export function tokenName(random: Random): { name: string; symbol: string } {
  const adjective = random.pick(adjectives);
  const noun = random.pick(nouns);
  const symbol = random.chance(0.5) ? noun : `${adjective[0]}${noun}`;
  return { name: `${adjective} ${noun}`, symbol: symbol.toUpperCase() };
}
