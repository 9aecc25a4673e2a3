/** Encodes calls of the token factory by hand: three words and two strings aren't worth a library. */

/** createToken(string,string,uint8), createTokenWithSalt(string,string,uint8,bytes32), createTokenAndBuy(string,string,uint8,bytes32,uint256). */
const createToken = "0xe8a0aed3";
const createTokenWithSalt = "0x157ed770";
const createTokenAndBuy = "0x1bf7b743";

/** The topic of TokenCreated(address,address,string,string,uint8,uint256,bytes32), whose first indexed value is the token. */
const tokenCreated = "0x61d222857d57b783ed6bc8d01417fcf924c3193a1b61c32ecfd28ec2d282f361";

const word = (value: number | bigint) => value.toString(16).padStart(64, "0");

function text(value: string): string {
  const bytes = new TextEncoder().encode(value);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return word(bytes.length) + hex.padEnd(Math.ceil(bytes.length / 32) * 64, "0");
}

export type CreateCall = {
  name: string;
  symbol: string;
  burnPercent: number;
  salt?: string | undefined;
  /** Of a first buy; undefined for none. */
  minTokensOut?: bigint;
};

/** The gas limit of a creation without a first buy, as MCP's: 4,300,000. */
export const createGas = "0x419ce0";

/** The data of a transaction that creates a token, and buys it if there is a minimum. */
export function encodeCreate({ name, symbol, burnPercent, salt, minTokensOut }: CreateCall): string {
  const [nameText, symbolText] = [text(name), text(symbol)];
  const isBuy = minTokensOut !== undefined;
  const last = isBuy ? [(salt ?? "").replace("0x", "").padStart(64, "0"), word(minTokensOut)] : [];
  if (!isBuy && salt !== undefined) last.push(salt.replace("0x", ""));
  const nameAt = 32 * (3 + last.length);
  const symbolAt = nameAt + nameText.length / 2;
  const head = word(nameAt) + word(symbolAt) + word(burnPercent) + last.join("");
  const selector = isBuy ? createTokenAndBuy : salt === undefined ? createToken : createTokenWithSalt;
  return selector + head + nameText + symbolText;
}

/** The token that a transaction created, in lower case. */
export function createdToken(logs: { topics: string[] }[]): string | undefined {
  const topics = logs.find((log) => log.topics[0] === tokenCreated)?.topics;
  return topics?.[1] === undefined ? undefined : `0x${topics[1].slice(-40)}`.toLowerCase();
}
