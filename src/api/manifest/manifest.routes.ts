import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { chainTitles } from "../../../config/chains.ts";
import type { ChainSettings } from "../../../config/env.ts";
import type { Chains } from "../chain/chains.ts";
import { domainType } from "../chain/signatures.ts";
import { jsonAnswers, typedData } from "../http/answer.schema.ts";
import { chainId } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";
import { type SharedJson, shareJson } from "../http/shared-json.ts";
import { registrationDomain, registrationTypes } from "../tokens/register/typed-data.schema.ts";
import { agentFaq, agentQuickStart, description, forAgents } from "./agent-guide.ts";

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

const manifestRoute = createRoute({
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

export type ManifestDeps = {
  chains: Chains;
  baseUrl: string;
  docsUrl: string;
  /** The app whose routes are listed. */
  routes: () => OpenAPIHono;
};

export function createManifest({ chains, ...deps }: ManifestDeps) {
  // Long, and the same for every request: built on the first one, when all routes are registered.
  const manifests = new Map<number, SharedJson<Manifest>>();

  function getManifest(chain: ChainSettings): SharedJson<Manifest> {
    const manifest = manifests.get(chain.id) ?? shareJson<Manifest>(describeChain(chain, deps));
    manifests.set(chain.id, manifest);
    return manifest;
  }

  return createRouter().openapi(manifestRoute, (c) =>
    getManifest(chains.choose(c.req.valid("query").chainId)).send(c, "public, max-age=60"),
  );
}

function describeChain(
  chain: ChainSettings,
  { baseUrl, docsUrl, routes }: Omit<ManifestDeps, "chains">,
): Manifest {
  return {
    name: "Token Launchpad",
    description,
    discoverability:
      "A registered token is in GET /api/tokens as soon as its block is indexed; its metadata is at GET /api/metadata/<mint>, and all of its data in GraphQL.",
    barrierToLaunch:
      "One transaction and its gas. No fee, no deposit, no key, no approval. 0.05 BNB of buys graduate a token to the DEX.",
    version: "1.0",
    baseUrl,
    docs: docsUrl,
    agentQuickStart,
    agentFaq,
    chain: { id: chain.id, name: chainTitles[chain.id], testnetId: 97, testnetName: chainTitles[97] },
    contracts: {
      launchpad: chain.launchpad,
      tokenFactory: chain.tokenFactory,
      tokenFactoryAbi: [...tokenFactoryAbi],
      launchpadAbi: [...launchpadAbi],
      tokenAbi: [...launchTokenAbi],
      note: "Fixed at deployment: read them from here, never hard-code them. createToken, createTokenWithSalt and createTokenAndBuy are on the tokenFactory, buy and sell on the launchpad.",
    },
    endpoints: listEndpoints(routes()),
    forAgents,
    registrationSignature: describeSignature(chain),
  };
}

function describeSignature(chain: ChainSettings): Manifest["registrationSignature"] {
  return {
    domain: registrationDomain(chain),
    types: { EIP712Domain: domainType, Registration: [...registrationTypes.Registration] },
    primaryType: "Registration",
    note: "Sign this EIP-712 typed data as the token's creator and send signature and issuedAt with POST /api/tokens. Sign fields that you leave out of the body as empty strings, and all others exactly as in the body. issuedAt is the time of signing in seconds since 1970. It must be later than that of the last accepted signature, and at most five minutes ahead of our clock. Contract wallets sign by ERC-1271.",
  };
}

/** Lists every route in the OpenAPI document. */
export function listEndpoints(app: OpenAPIHono): Manifest["endpoints"] {
  return app.openAPIRegistry.definitions.flatMap((definition) =>
    definition.type === "route"
      ? [
          {
            method: definition.route.method.toUpperCase(),
            path: definition.route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
            description: definition.route.summary ?? "",
          },
        ]
      : [],
  );
}
