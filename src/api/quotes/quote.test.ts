import { expect, test } from "vitest";
import { chainSettings } from "../../../test/service/chain-settings.ts";
import { createChains } from "../chain/chains.ts";
import { handleError } from "../http/error-handler.ts";
import { createQuote } from "./quote.ts";

const chains = createChains([chainSettings()]);
// Refused requests use neither.
const app = createQuote({ chains, db: undefined as never, getClient: undefined as never }).onError(
  handleError,
);
const mint = `0x${"ab".repeat(20)}`;

async function refusal(path: string) {
  const response = await app.request(path);
  const { code, detail, errors } = (await response.json()) as {
    code: string;
    detail: string;
    errors: { path: string }[];
  };
  return { status: response.status, code, detail, paths: errors?.map((error) => error.path) };
}

const signed = (signature: string) =>
  `side=sell&amount=1&account=${mint}&deadline=1999999999&signature=${signature}`;

test.each([
  // Zero, and more than the order of the curve.
  [signed(`0x${"0".repeat(130)}`), "signature"],
  [signed(`0x${"f".repeat(128)}1b`), "signature"],
  [signed(`0x${"1".repeat(128)}25`), "signature"],
  [signed(`0x${"1".repeat(128)}`), "signature"],
  ["amount=1", "side"],
  ["side=Buy&amount=1", "side"],
  ["side=buy&side=sell&amount=1", "side"],
  ["side=buy", "amount"],
  ...["", "0", "000", "-1", "1.5", "1e18", "0x10", " 1", "٣", String(2n ** 256n), "9".repeat(79)].map(
    (amount) => [`side=sell&amount=${encodeURIComponent(amount)}`, "amount"],
  ),
  ...["", "-1", "50.01", "51", "100", "0.001", "1e1", ".5", "1.", "1%"].map((slippage) => [
    `side=buy&amount=1&slippage=${encodeURIComponent(slippage)}`,
    "slippage",
  ]),
  ...["0x12", "vitalik.eth", ""].map((account) => [`side=buy&amount=1&account=${account}`, "account"]),
  ...["0", "soon", "-5", "1.5", "1790000000000"].map((deadline) => [
    `side=buy&amount=1&deadline=${deadline}`,
    "deadline",
  ]),
  ["side=buy&amount=1&chainId=1", "chainId"],
  ["side=buy&amount=1&slipage=5", "slipage"],
])("%s: 400 that names %s", async (query, path) => {
  const { status, code, paths } = await refusal(`/api/curve/${mint}/quote?${query}`);
  expect([status, code, paths]).toEqual([400, "invalid_request", [path]]);
});

test("everything that is wrong is named at once, in a sentence", async () => {
  const { detail, paths } = await refusal("/api/curve/0x12/quote?side=buy&amount=1");
  expect([detail, paths]).toEqual(["mint must be an address: 0x and 40 hexadecimal digits", ["mint"]]);
  expect(await refusal(`/api/curve/${mint}/quote?slippage=99`)).toMatchObject({
    detail:
      "side is missing: it must be buy or sell; amount is missing: it must be a whole number of base units from 1 to 2^256 - 1, such as 1000000000000000000; slippage must be a percentage from 0 to 50 with at most 2 decimals, such as 0.5",
    paths: ["side", "amount", "slippage"],
  });
});

test("a chain that is not indexed: 404", async () => {
  const { status, code } = await refusal(`/api/curve/${mint}/quote?side=buy&amount=1&chainId=97`);
  expect([status, code]).toEqual([404, "chain_not_indexed"]);
});
