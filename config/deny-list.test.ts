import { expect, test } from "vitest";
import { looksOf } from "../src/domain/look-alike.ts";
import { type DeniableContent, parseDenyList } from "./deny-list.ts";

const cid = "bafkreibdjy2jjf6uklsqeqcjdzf7xfp4mavpo6yi3ocu4cjbmvoqd5oqia";
const denied = (list: string, content: Partial<DeniableContent>) =>
  parseDenyList(list, looksOf).deniedIn({ name: "Brave Otter", symbol: "OTTER", ...content });

test("comments and empty lines are not entries, and an empty list denies nothing", () => {
  const list = parseDenyList("# names\r\n\r\n  name Bad Name  \n#link x.example\n");
  expect(list.size).toBe(1);
  expect(parseDenyList("").deniedIn({ name: "", symbol: "" })).toEqual([]);
});

test.each([
  ["name Brave Otter", "brave OTTER", true],
  ["name Brave Otter", "Brave  Otter\u200b", true],
  ["name Brave Otter", "Br\u034fave\u3164 Ot\u115fter", true],
  ["name Brave Otter", "Brave\u2800Otter", true],
  ["name Brave Otter", "Ｂｒａｖｅ Otter", true],
  ["name Brave Otter", "Brave Otters", false],
  ["name *otter*", "My Otters", true],
  ["name pan*swap", "PancakeSwap", true],
  ["name pan*swap", "PancakeSwap V2", false],
  ["name A.B (C)", "a.b (c)", true],
  ["name A.B", "AxB", false],
  ["name Élan", "E\u0301LAN", true],
  ["name PancakeSwap", "Pancаke-Sԝap", true],
  ["name PancakeSwap", "ΡÁNCAKE SWAP", true],
  ["name PancakeSwap", "PancakeSwaps", false],
  ["name WIF", "WlF", true],
  ["name AI", "AL", false],
  ["name binance", "B1NANCE", true],
  ["name Binance", "b1nance", true],
  ["name wif", "WlF", true],
  ["name coinbase", "C01NBASE", true],
  ["name *binance*", "B1NANCE Vote", true],
  ["name *binance*", "My BlNANCE", true],
  ["name *Binance*", "b|nance", true],
  ["name *binance", "B1NANCE Vote", false],
  ["name *ai*", "Also", false],
  ["name *AI*", "Alpha ALL", false],
  ["name *sui*", "SUl", true],
  ["name *burn*", "BUM", false],
  ["name *giveaway*", "Free gіvе\u200bаwаy!", true],
  ["name pan*swap", "РАN Т SWАР", true],
  ["name *inu", "Shіbа Ιnu", true],
  ["name * inu", "Shіbа Ιnu", true],
  ["name * inu", "Shibainu", false],
  ["name PancakeSwap＊", "PancakeSwap V2", true],
  ["name *.com*", "Community", false],
  ["name *.com*", "scam.соm", true],
  ["name *free airdrop*", "Frее Аirdrоp!", true],
  ["name !!", "Otter", false],
  ["name *!!*", "Otter", false],
  ["name *!!*", "Otter!!", true],
  ["name *🚀*", "To the moon 🚀", true],
  ["name *🚀*", "To the moon", false],
])("%s, and a token named %s: %s", (list, name, isDenied) => {
  expect(denied(list, { name, symbol: "X" })).toEqual(isDenied ? ["name"] : []);
  expect(denied(list, { name: "X", symbol: name })).toEqual(isDenied ? ["symbol"] : []);
});

test.each([
  ["link scam.example", "https://scam.example", true],
  ["link scam.example", "https://SCAM.example./a?b#c", true],
  ["link scam.example", "https://user:password@www.scam.example:8443/", true],
  ["link scam.example", "https://notscam.example", false],
  ["link scam.example", "https://scam.example.org", false],
  ["link https://scam.example/", "http://scam.example/path", true],
  ["link t.me/group", "https://t.me/Group", true],
  ["link t.me/group", "https://t.me/group/5", true],
  ["link t.me/group", "https://t.me//group/", true],
  ["link t.me/group", "https://t.me/groups", false],
  ["link bücher.example", "https://xn--bcher-kva.example", true],
  ["link scam.example", "ipfs://scam.example", true],
])("%s, and a link to %s: %s", (list, url, isDenied) => {
  expect(denied(list, { websiteUrl: url })).toEqual(isDenied ? ["websiteUrl"] : []);
  expect(denied(list, { description: `Come to ${url} now` })).toEqual(isDenied ? ["description"] : []);
});

test("a link in a description is found without https:// too", () => {
  expect(denied("link scam.example", { description: "see www.scam.example!" })).toEqual(["description"]);
  expect(denied("link scam.example", { description: "see scam.example/now, friends" })).toEqual([
    "description",
  ]);
  expect(denied("link scam.example", { description: "scam example" })).toEqual([]);
});

test.each([
  ["link scam.example", "(https://scam.example)"],
  ["link scam.example", "see https://scam.example, now"],
  ["link scam.example", 'Go to "https://www.scam.example"!'],
  ["link scam.example", "**https://scam.example**"],
  ["link scam.example", "来https://scam.example，加入我们"],
  ["link scam.example", "https://scam。example/"],
  ["link scam.example", "https://ⓢcam.example"],
  ["link t.me/group", "Join https://t.me/group, now"],
  ["link t.me/group", "(t.me/group)"],
  ["link t.me/group", "Join t.me/group."],
  ["link t.me/group", "来t.me/group，加入"],
  ["link t.me/group", "https://t.me/%67roup"],
])("%s, and the description %s: denied", (list, description) => {
  expect(denied(list, { description })).toEqual(["description"]);
});

test.each([
  ["see sc\u00adam.example", "description"],
  ["see scam\u200b.ex\u2060ample!", "description"],
  ["ⓢｃａｍ.example", "description"],
  ["scam.example", "name"],
  ["Claim at www.scam.example now", "name"],
  ["scam.example", "symbol"],
])("link scam.example, and %j as the %s: denied", (text, field) => {
  expect(denied("link scam.example", { [field]: text })).toEqual([field]);
});

test.each([
  ["link t.me/group", "https://t.me/group.x"],
  ["link t.me/group", "t.me/group_2, t.me/group-b and t.me/a%20group"],
  ["link scam.example", "(https://scam.example.org) and scam,example"],
])("%s, and the description %s: not denied", (list, description) => {
  expect(denied(list, { description })).toEqual([]);
});

test("a link is denied however its path is encoded", () => {
  expect(denied("link t.me/group", { telegramUrl: "https://t.me/%67%72oup/" })).toEqual(["telegramUrl"]);
  expect(denied("link x.example/ü", { websiteUrl: "https://x.example/%C3%BC?a" })).toEqual(["websiteUrl"]);
  expect(denied("link x.example/a", { websiteUrl: "https://x.example/%ff" })).toEqual([]);
});

test("images are denied by CID, in whatever URL, or by URL", () => {
  for (const imageUrl of [
    `ipfs://${cid}`,
    `https://gateway.example/ipfs/${cid}?x=1`,
    `ipfs://${cid.toUpperCase()}`,
  ])
    expect(denied(`image ${cid}`, { imageUrl })).toEqual(["imageUrl"]);
  expect(denied(`image ${cid}`, { imageUrl: "ipfs://other", websiteUrl: `ipfs://${cid}` })).toEqual([]);
  const url = "https://pictures.example/a.png";
  expect(denied(`image ${url}`, { imageUrl: url })).toEqual(["imageUrl"]);
  expect(denied(`image ${url}`, { imageUrl: `${url}2` })).toEqual([]);
  expect(parseDenyList(`image ${cid}`).deniesImage(cid)).toBe(true);
  expect(parseDenyList("").deniesImage(cid)).toBe(false);
});

test("every field that is denied is named", () => {
  const list = "name otter\nlink scam.example";
  const content = { symbol: "otter", twitterUrl: "https://scam.example", websiteUrl: "https://scam.example" };
  expect(denied(list, content)).toEqual(["symbol", "twitterUrl", "websiteUrl"]);
});

test("each wrong entry is named with its line", () => {
  const wrong =
    "name good\nnmae bad\nlink nowhere\nimage 5\nname ***\nname\nlink scam.example\nlink *.scam.example\nlink t.me/scam*";
  expect(() => parseDenyList(wrong)).toThrow(
    [
      'line 2: must begin with name, link or image, not with "nmae"',
      "line 3: must be a host, such as scam.example, or a host and a path",
      "line 4: must be the CID of an image (baf...), or its URL",
      "line 5: denies every name",
      "line 6: must be name, link or image, a space, and what to deny",
      "line 8: may have * in names alone: a host includes its subdomains, and a path what is below it",
      "line 9: may have * in names alone: a host includes its subdomains, and a path what is below it",
    ].join("\n"),
  );
});
