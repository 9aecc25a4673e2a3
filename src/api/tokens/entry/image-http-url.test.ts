import { expect, test } from "vitest";
import { imageHttpUrl } from "./token-entry.mapper.ts";

const base = "https://launchpad.example";
const cid = "bafkreibdjy2jjf6uklsqeqcjdzf7xfp4mavpo6yi3ocu4cjbmvoqd5oqia";

test.each([`ipfs://${cid}`, `https://ipfs.example/ipfs/${cid}`, `http://a.example/b/ipfs/${cid}`])(
  "%s is on our gateway",
  (url) => expect(imageHttpUrl(url, base)).toBe(`${base}/ipfs/${cid}`),
);

test.each([
  null,
  "",
  "https://a.example/logo.png",
  `https://a.example/${cid}`,
  `https://a.example/?ipfs/${cid}`,
  `ipfs://${cid}/logo.png`,
  `ipfs://${cid.toUpperCase()}`,
  "ipfs://QmPZ9gcCEpqKTo6aq61g2nXGUhM4iCL3ewB6LDXZCtioEB",
])("%s is not", (url) => expect(imageHttpUrl(url, base)).toBeNull());
