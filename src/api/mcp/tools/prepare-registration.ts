import { z } from "zod";
import { toWalletTypedData } from "../../chain/wallet-typed-data.ts";
import { findRegistrationProblem } from "../../tokens/register/register-token.routes.ts";
import { registrationTypedData } from "../../tokens/register/typed-data.schema.ts";
import { readingToolWithoutBlock, ToolError } from "../tool.ts";
import { registrationInput } from "./registration-input.ts";

export const prepareRegistration = readingToolWithoutBlock({
  name: "prepare_registration",
  title: "Prepare a signed registration",
  description:
    "Returns typed data (EIP-712) for the token's creator to sign, and the arguments for register_token. A signed registration is marked as verified, and replaces somebody else's. Unsigned ones need no preparation: call register_token.",
  isExact: true,
  isOpenWorld: false,
  input: registrationInput,
  output: z.object({
    typedData: z
      .object({
        domain: z.object({
          name: z.string(),
          version: z.string(),
          chainId: z.int(),
          verifyingContract: z.string(),
        }),
        types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
        primaryType: z.string(),
        message: z.record(z.string(), z.string()),
      })
      .describe("Sign it with eth_signTypedData_v4. It contains only what you provided."),
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
