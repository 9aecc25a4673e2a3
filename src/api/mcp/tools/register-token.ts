import { z } from "zod";
import { toWalletTypedData } from "../../chain/signatures.ts";
import { typedData } from "../../http/answer.schema.ts";
import { findRegistrationProblem, registerTokenRoute } from "../../tokens/register/register-token.routes.ts";
import { registrationTypedData } from "../../tokens/register/typed-data.schema.ts";
import { address, chainId } from "../inputs.ts";
import { readingToolWithoutBlock, ToolError, writingTool } from "../tool.ts";
import { fullToken, readToken, toFullToken } from "./token-result.ts";

const text = (maxLength: number, description: string, ...examples: string[]) =>
  z
    .string()
    .max(maxLength)
    .describe(description)
    .meta(examples.length === 0 ? {} : { examples });

const link = (description: string, ...examples: string[]) => text(2_048, description, ...examples).optional();

/** The fields of a registration. Name and symbol must be exactly what the factory was given. */
const registrationInput = z.object({
  mint: address("The token that was created."),
  name: text(256, "Exactly as given to the factory.", "Brave Otter"),
  symbol: text(64, "Exactly as given to the factory.", "OTTER"),
  creator: address("The account that created the token."),
  burnPercent: z.int().min(30).max(70).describe("Exactly as given to the factory."),
  description: text(2_000, "At most 1000 characters, on one line.", "Never gives up.").optional(),
  imageUrl: link("The url of upload_image, or another ipfs:// or https:// URL."),
  twitterUrl: link("An https:// URL.", "https://x.com/example"),
  telegramUrl: link("An https:// URL.", "https://t.me/example"),
  websiteUrl: link("An https:// or ipfs:// URL.", "https://otter.example/"),
  chainId,
});

const ofToken = (names: z.ZodString) =>
  names.optional().describe("Exactly as given to the factory. Left out: the indexed token's.");

export const prepareRegistration = readingToolWithoutBlock({
  name: "prepare_registration",
  title: "Prepare a signed registration",
  description:
    "Returns typed data (EIP-712) for the token's creator to sign, and the arguments for register_token. A signed registration is marked as verified, and replaces somebody else's. Unsigned ones need no preparation: call register_token.",
  isExact: true,
  isOpenWorld: false,
  input: registrationInput,
  output: z.object({
    typedData: typedData.describe("Sign it with eth_signTypedData_v4. It contains only what you provided."),
    body: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .describe(
        "The arguments for register_token once you add signature; also the body of POST /api/tokens.",
      ),
  }),
  async run({ chainId, ...fields }, { chain }) {
    const problem = findRegistrationProblem(fields);
    if (problem !== undefined) throw new ToolError("invalid_request", problem);
    const settings = chain.choose(chainId);
    const issuedAt = Math.floor(Date.now() / 1_000);
    const entries = Object.entries({ ...fields, issuedAt, chainId: settings.id });
    return {
      typedData: toWalletTypedData(registrationTypedData(settings, { ...fields, issuedAt })),
      body: Object.fromEntries(
        entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
    };
  },
});

export const registerToken = writingTool({
  name: "register_token",
  title: "Register a token",
  description:
    "Lists a token that exists on the chain, with its description, image and links. Call it once the creating transaction is mined; everything is checked against the chain. Sending the same registration twice is safe. With signature and issuedAt from prepare_registration, the entry is marked as verified. It is public and can't be undone.",
  isOpenWorld: true,
  input: registrationInput.extend({
    name: ofToken(registrationInput.shape.name),
    symbol: ofToken(registrationInput.shape.symbol),
    signature: z.string().min(1).max(8_194).optional().describe("The creator's signature of the typed data."),
    issuedAt: z
      .int()
      .min(1)
      .max(9_999_999_999)
      .optional()
      .describe("As in body of prepare_registration. Required with a signature."),
  }),
  output: fullToken,
  async run(body, { ask, send }) {
    const isNamed = body.name !== undefined && body.symbol !== undefined;
    // No tool returns a name in which something is invisible.
    const { name, symbol } = isNamed ? body : await readToken(ask, body.mint, body.chainId);
    return toFullToken(await send(registerTokenRoute, { name, symbol, ...body }));
  },
});
