import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers, typedData } from "../http/answer.schema.ts";
import { chainId } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";

const abi = z.array(z.record(z.string(), z.unknown()));

const manifest = z
  .object({
    name: z.string(),
    description: z.string(),
    discoverability: z.string(),
    barrierToLaunch: z.string(),
    version: z.string(),
    baseUrl: z.string(),
    docs: z.string(),
    agentQuickStart: z.string().openapi({ description: "What to do, step by step, one line per step." }),
    agentFaq: z.array(z.object({ q: z.string(), a: z.string() })),
    chain: z.object({
      id: z.int(),
      name: z.string(),
      testnetId: z.literal(97),
      testnetName: z.string(),
    }),
    contracts: z.object({
      launchpad: z.string(),
      tokenFactory: z.string(),
      tokenFactoryAbi: abi,
      launchpadAbi: abi,
      tokenAbi: abi.openapi({
        description:
          "The ABI of every token: together with the two others it decodes every error of a trade.",
      }),
      note: z.string(),
    }),
    endpoints: z.array(z.object({ method: z.string(), path: z.string(), description: z.string() })),
    forAgents: z.array(z.string()),
    registrationSignature: typedData
      .omit({ message: true })
      .extend({ note: z.string() })
      .openapi({ description: "The EIP-712 typed data of a signed registration." }),
  })
  .openapi("Manifest");

export type Manifest = z.input<typeof manifest>;

export const manifestRoute = createRoute({
  method: "get",
  path: "/api",
  operationId: "getManifest",
  tags: ["Service"],
  summary: "The manifest: contracts with their ABIs, endpoints, and how to launch a token.",
  description: "For programs and agents: everything they need to create, register and trade a token.",
  request: { query: z.object({ chainId }) },
  responses: {
    ...jsonAnswers("The manifest of one chain.", manifest),
    ...problems({ 400: "A parameter is wrong.", 404: "The chain is not indexed here." }),
  },
});
