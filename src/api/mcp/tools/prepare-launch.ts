import { encodeFunctionData, type Hex, numberToHex, parseEther } from "viem";
import { z } from "zod";
import { tokenFactoryAbi } from "../../../../abis/TokenFactory.ts";
import { decodeCall } from "../../chain/decode-call.ts";
import { simulate } from "../../chain/simulate.ts";
import { toLowerHex } from "../../http/parameters.schema.ts";
import { type FirstBuyAnswer, firstBuyRoute } from "../../quotes/first-buy.routes.ts";
import { gasLimits } from "../../quotes/transaction.ts";
import { vanitySaltRoute } from "../../vanity-salt/vanity-salt.routes.ts";
import { whole } from "../amount.ts";
import { chainId, payableAccount } from "../inputs.ts";
import { step } from "../steps.ts";
import { readingTool, ToolError } from "../tool.ts";

/** What the factory takes: other texts would revert, or be others on the chain. */
const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => text.isWellFormed(), "must be well-formed Unicode")
    .refine((text) => Buffer.byteLength(text) <= max, `must have at most ${max} bytes in UTF-8`);

export const prepareLaunch = readingTool({
  name: "prepare_launch",
  title: "Prepare a launch",
  description:
    "Returns the unsigned transaction that creates a token, and the address (mint) that the token will have. It costs about 3.8 million gas, plus the BNB of firstBuy: a purchase in the same transaction, before anybody else can buy. Sign and send it, then call prepare_registration or register_token so that the token gets listed. To buy later, call prepare_trade once it is indexed.",
  isExact: true,
  isOpenWorld: true,
  input: z.object({
    name: bytes(64)
      .describe("The token's name, 1 to 64 bytes of UTF-8.")
      .meta({ examples: ["Brave Otter"] }),
    symbol: bytes(16)
      .describe("Its symbol, 1 to 16 bytes of UTF-8.")
      .meta({ examples: ["OTTER"] }),
    burnPercent: z.int().min(30).max(70).default(50).describe("Percent of the supply burned at launch."),
    vanity: z
      .boolean()
      .default(true)
      .describe(
        "Whether the address should end in 5afe and be known in advance, for which account is needed: nobody else can take it then. False: any address; read it from the receipt.",
      ),
    firstBuy: z
      .string()
      .regex(
        /^\d{1,9}(\.\d{1,18})?$/,
        'must be whole BNB such as "0.01", not wei; with at most 9 digits before the point and 18 after it',
      )
      .optional()
      .describe("BNB to buy with in the same transaction. If omitted, none.")
      .meta({ examples: ["0.01"] }),
    account: payableAccount(
      "The account that signs and becomes the creator. Needed with vanity. With it, the transaction is simulated.",
    ).optional(),
    chainId,
  }),
  output: z.object({
    mint: z.string().nullable().describe("The token's future address; null without vanity."),
    burnPercent: z.int(),
    firstBuy: z
      .object({
        pays: z.string().describe("Whole BNB sent."),
        gets: z.string().describe("Whole tokens that come out, exactly."),
        refundBnb: z.string().describe("BNB refunded, if the curve ends within the buy."),
        graduates: z.boolean(),
      })
      .nullable()
      .describe("The purchase in the same transaction; null without one."),
    simulation: z.object({
      outcome: z.enum(["succeeds", "reverts", "not_simulated"]),
      reason: z.string().optional(),
    }),
    steps: z.array(step),
  }),
  async run({ name, symbol, burnPercent, vanity, firstBuy, account, chainId }, { ask, chain }) {
    const { tokenFactory, id } = chain.choose(chainId);
    if (vanity && account === undefined) {
      throw new ToolError(
        "invalid_request",
        "account is missing: a vanity address belongs to the account that creates the token. Give account, or vanity: false.",
      );
    }
    const salted = vanity
      ? await ask(vanitySaltRoute, { query: { name, symbol, creator: account, chainId } })
      : undefined;
    const token = { name, symbol, burnPercent, salt: salted && toLowerHex(salted.salt) };
    const amount = firstBuy === undefined ? 0n : parseEther(firstBuy);
    const quote =
      amount === 0n
        ? undefined
        : await ask(firstBuyRoute, { query: { ...token, amount: String(amount), account, chainId } });
    const data = quote === undefined ? encodeCreation(token) : toLowerHex(quote.transaction?.data ?? "0x");
    const isOwnSalt = salted === undefined || isBoundTo(salted.salt, account);
    if (!isOwnSalt || !isLaunch(data, token, { amount, quote })) {
      throw new ToolError(
        "launch_contradicts_itself",
        "The launch was not prepared: its transaction doesn't match the request.",
      );
    }
    const where = salted === undefined ? "" : ` at ${salted.address}`;
    const simulation =
      account === undefined
        ? { outcome: "not_simulated" as const, reason: "no account was given" }
        : await chain.read(chainId, (client) =>
            simulate(client, { from: account, to: tokenFactory, data, value: amount }),
          );
    if (simulation.outcome === "reverts") {
      throw new ToolError(
        "would_revert",
        `The launch was not prepared: its transaction would revert (${simulation.reason}). Ask again, or with another name, symbol or amount.`,
      );
    }
    return {
      mint: salted?.address ?? null,
      burnPercent,
      firstBuy: quote === undefined ? null : toFirstBuy(quote),
      simulation,
      steps: [
        {
          does: `Creates a token with the name and symbol that you gave${where}, of which ${burnPercent} % are burned. ${
            quote === undefined
              ? "Sends no BNB."
              : `Pays ${whole(amount)} BNB for exactly ${whole(quote.amountOutRaw)} of its tokens.`
          }`,
          transaction: {
            from: account,
            to: tokenFactory.toLowerCase(),
            data,
            value: numberToHex(amount),
            gas: quote?.transaction?.rpc.gas ?? numberToHex(gasLimits.creation),
            chainId: numberToHex(id),
          },
        },
      ],
    };
  },
});

function toFirstBuy({ amountInWei, amountOutRaw, refundWei, graduates }: FirstBuyAnswer) {
  return {
    pays: whole(amountInWei),
    gets: whole(amountOutRaw),
    refundBnb: whole(refundWei),
    graduates,
  };
}

type NewToken = { name: string; symbol: string; burnPercent: number; salt: Hex | undefined };

const noSalt = `0x${"0".repeat(64)}`;

/** Encodes the call that creates a token without buying. */
export function encodeCreation({ name, symbol, burnPercent, salt }: NewToken): Hex {
  return salt === undefined
    ? encodeFunctionData({
        abi: tokenFactoryAbi,
        functionName: "createToken",
        args: [name, symbol, burnPercent],
      })
    : encodeFunctionData({
        abi: tokenFactoryAbi,
        functionName: "createTokenWithSalt",
        args: [name, symbol, burnPercent, salt],
      });
}

/** Whether the factory accepts a salt from this account alone. */
export function isBoundTo(salt: string, account: string | undefined): boolean {
  return account !== undefined && salt.startsWith(account.toLowerCase());
}

/** Whether a call's own bytes create this token, and buy for that amount what the quote says. */
export function isLaunch(
  data: Hex,
  token: NewToken,
  { amount, quote }: { amount: bigint; quote: FirstBuyAnswer | undefined },
): boolean {
  const { name, symbol, burnPercent, salt } = token;
  if ((quote?.amountInWei ?? "0") !== String(amount)) return false;
  const expected = [name, symbol, String(burnPercent)];
  if (quote !== undefined) expected.push(salt ?? noSalt, quote.minTokensOutRaw);
  else if (salt !== undefined) expected.push(salt);
  const functionName =
    quote !== undefined ? "createTokenAndBuy" : salt === undefined ? "createToken" : "createTokenWithSalt";
  const call = decodeCall(data);
  const actual = Object.values(call?.args ?? {}).map(String);
  return call?.functionName === functionName && actual.join("\0") === expected.join("\0");
}
