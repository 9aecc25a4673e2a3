/*
 * What tokens are called and described with. None of the planted words is part of another word here.
 */

export const adjectives =
  `amber angry arctic atomic bold bouncy bright calm clever cosmic crispy curious daring dizzy eager early electric
  fancy fierce fluffy frosty funky gentle giddy golden grumpy happy hidden honest humble icy jolly jumpy keen lazy little lucky lunar
  magic mellow mighty minty misty modest neon nimble noble odd orange patient pixel plucky polite proud purple quantum quick quiet
  rapid rare rosy royal salty shiny shy silent silly sleepy smoky sneaky solar spicy stoic sunny super swift tidy tiny turbo ultra
  velvet vivid warm wild wise witty wobbly yellow zany zen`.split(/\s+/);

export const nouns =
  `acorn alpaca anchor apple badger bagel banana beaver bison brick bunny burrito cactus camel candle capybara
  castle cat cheetah cloud cobra comet cookie coral cow crab crane crow cube deer diamond dodo dog dolphin donut dragon duck dumpling
  eagle falcon ferret finch fox frog gecko ghost giraffe goat goose gorilla hamster hare hawk hedgehog heron hippo horse ibis igloo
  jackal jaguar jelly kiwi koala lemon lemur leopard lion lizard llama lobster lynx mango maple marmot melon meerkat mole monkey moose
  mouse muffin narwhal newt noodle octopus olive orca osprey otter owl ox panda pancake parrot peach pelican penguin pepper pickle
  pigeon pineapple pony possum potato puffin puma rabbit raccoon raven rhino robin salmon seal shark sheep shrimp sloth snail sparrow
  spider squid stork sushi swan taco tapir tiger toad tortoise toucan tulip turkey turnip turtle viper waffle walrus wasp whale wolf
  wombat yak zebra`.split(/\s+/);

/** Of descriptions. */
export const prose =
  `the a of and to in on with for every some all new old first last best only never always holders trade made by
  from people who like launch curve supply burned forever chart green candles morning evening weekend nobody somebody asked needed
  wanted knows why this token exists but here it is fair simple honest fun story begins when small brave decided swim across river
  fly over mountain find treasure share friends family neighbours street city world art music game play win lose laugh dance sing
  build ship code open source paper roadmap none team anon since yesterday tomorrow soon later hold wait buy sell send give take
  read write draw meme memes culture internet night day sun stars moon sky sea land house garden kitchen market coffee tea bread`.split(
    /\s+/,
  );

export const chineseWords = [
  ..."熊猫 月亮 火箭 黄金 小狗 龙王 老虎 幸运 财富 太阳 星星 凤凰 兔子 猴子 金鱼 米饭 饺子 茶叶 红包 大象".split(
    " ",
  ),
  ..."白云 江湖 少林 功夫 长城 故宫 孔雀 麒麟 牡丹 春天 夏夜 秋风 冬雪 宇宙 未来 自由 快乐 梦想 英雄 传奇".split(
    " ",
  ),
];

export const emoji = ["🚀", "🌕", "🐶", "🐸", "🔥", "💎", "🐼", "🦊", "🍕", "👑", "🐳", "🌈"];

/** Words that are put where a search for them finds a known share of all tokens. */
export const planted = {
  /** In one description alone. */
  once: "zyzzyva",
  shares: [
    { word: "quokka", share: 0.0001 },
    { word: "lantern", share: 0.01 },
    { word: "rocketeer", share: 0.1 },
    { word: "community", share: 0.3 },
  ],
};
