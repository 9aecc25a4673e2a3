import { expect, test } from "vitest";
import { tokenHead } from "./token-head.ts";

const mint = `0x${"ab".repeat(20)}`;
const token = { mint, name: "Brave Otter", symbol: "OTTER", description: "", image: "" };

test("a shared token has its name, its words and its image", () => {
  const cid = "bafkreibdjy2jjf6uklsqeqcjdzf7xfp4mavpo6yi3ocu4cjbmvoqd5oqia";
  const { title, head } = tokenHead(
    { ...token, description: "Swims\nupstream.", image: `ipfs://${cid}` },
    "https://launchpad.example",
  );
  expect(title).toBe("Brave Otter (OTTER) · Launchpad");
  expect(head).toContain('<meta property="og:description" content="Swims upstream." />');
  expect(head).toContain(`<meta property="og:image" content="https://launchpad.example/ipfs/${cid}" />`);
  expect(head).toContain(`<meta property="og:url" content="https://launchpad.example/token/${mint}" />`);
});

test("what a creator wrote stays text", () => {
  const attack = `"><script>alert('x')</script>&`;
  const { title, head } = tokenHead(
    { ...token, name: attack, symbol: attack, description: attack },
    "http://a",
  );
  expect(title + head).not.toMatch(/<script|'x'/);
  expect(head.match(/<\/?\w+/g)?.every((tag) => tag === "<meta")).toBe(true);
});

test("an image that isn't kept here is left out", () => {
  const { head } = tokenHead({ ...token, image: "https://evil.example/x.png" }, "http://a");
  expect(head).not.toContain("og:image");
});
