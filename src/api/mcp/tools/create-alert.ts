import { z } from "zod";
import { alertMessageRoute, createAlertRoute } from "../../alerts/alerts.routes.ts";
import { address, chainId } from "../inputs.ts";
import { ToolError, writingTool } from "../tool.ts";

const typedData = z.object({
  domain: z.looseObject({ name: z.string(), chainId: z.int() }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.string()),
});

export const createAlert = writingTool({
  name: "create_alert",
  title: "Subscribe to alerts by webhook",
  description:
    "Sends events, or a value that crosses a limit, to an https receiver of the user's. Without signature it returns typedData for the wallet to sign: then call it again with the same arguments, issuedAt and signature. To wait for something in this conversation, use wait_for_events.",
  isOpenWorld: true,
  input: z.object({
    owner: address("The wallet that signs."),
    url: z
      .string()
      .max(2_048)
      .describe("The receiver, which has to echo a challenge.")
      .meta({ examples: ["https://bot.example/hook"] }),
    rule: z
      .looseObject({ type: z.enum(["events", "crosses"]) })
      .describe(
        "events: kind, mint, creator, trader (lists), side, venue, minBnb. crosses: mint, metric (priceBnb, priceUsd, marketCapBnb, marketCapUsd, progress, volumeBnb with windowMinutes, holders, creatorPercent, insidersPercent, snipersPercent, accountPercent with account), above or below, hysteresisPercent, repeat (once, always).",
      )
      .meta({ examples: [{ type: "events", kind: ["trade"], minBnb: "0.5" }] }),
    batch: z.int().min(1).max(100).optional().describe("The most events in one message."),
    chainId,
    issuedAt: z.int().min(1).max(9_999_999_999).optional().describe("As returned with typedData."),
    signature: z.string().max(8_194).optional().describe("The owner's signature of typedData."),
  }),
  output: z.object({
    typedData: typedData.optional().describe("To sign with eth_signTypedData_v4."),
    issuedAt: z.int().min(1).max(9_999_999_999).optional(),
    id: z.string().optional().describe("The subscription's, once it is made."),
    secret: z.string().nullable().optional().describe("Verifies messages (Standard Webhooks). Shown once."),
    verified: z.boolean().optional().describe("Whether the receiver has echoed the challenge."),
    problem: z.string().nullable().optional().describe("Why not."),
  }),
  async run({ signature, issuedAt, ...request }, { send }) {
    if (signature === undefined && issuedAt !== undefined) {
      throw new ToolError(
        "invalid_request",
        "signature is missing: it comes together with issuedAt. Leave out both to get typedData to sign.",
      );
    }
    if (signature === undefined) {
      const { typedData, body } = await send(alertMessageRoute, request);
      return { typedData, issuedAt: body.issuedAt };
    }
    const { alert, secret, verification } = await send(createAlertRoute, { ...request, issuedAt, signature });
    return { id: alert.id, secret, verified: verification.verified, problem: verification.error };
  },
});
