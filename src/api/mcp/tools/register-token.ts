import { z } from "zod";
import { registerTokenRoute } from "../../tokens/register/register-token.routes.ts";
import { writingTool } from "../tool.ts";
import { registrationInput } from "./registration-input.ts";
import { fullToken, toFullToken } from "./token-result.ts";

export const registerToken = writingTool({
  name: "register_token",
  title: "Register a token",
  description:
    "Lists a token that exists on the chain, with its description, image and links. Call it once the creating transaction is mined; everything is checked against the chain. Sending the same registration twice is safe. With signature and issuedAt from prepare_registration, the entry is marked as verified. It is public and can't be undone.",
  isOpenWorld: true,
  input: registrationInput.extend({
    signature: z.string().min(1).max(8_194).optional().describe("The creator's signature of the typed data."),
    issuedAt: z
      .int()
      .min(1)
      .max(9_999_999_999)
      .optional()
      .describe("As in body of prepare_registration. Required with a signature."),
  }),
  output: fullToken,
  run: async (body, { send }) => toFullToken(await send(registerTokenRoute, body)),
});
