import { readFileSync } from "node:fs";
import { z } from "zod";
import type { ChainId } from "./chains.ts";
import { parseJson } from "./parse.ts";
import {
  type Address,
  address,
  addresses,
  integer,
  portalUrl,
  readVariables,
  rpcUrls,
  type Variables,
} from "./values.ts";

/** The settings of one chain. A chain is indexed if its RPC URL is set. */
export type ChainSettings = {
  id: ChainId;
  /** At least one endpoint. All are used; if one fails, the others take over. */
  rpcUrls: string[];
  /** Endpoints that announce new blocks. */
  webSocketUrls: string[];
  /** A dataset of an SQD Network portal, tried first for history. Undefined: history comes from the endpoints. */
  historySource?: string | undefined;
  /** Whether our own sync reads the chain, or Ponder's. */
  sync: "built-in" | "ponder";
  /** Milliseconds between polls for a new block. */
  pollingInterval: number;
  tokenFactory: Address;
  launchpad: Address;
  /**
   * The BNB/USD feed. If empty, nothing is served in USD. Users usually configure a proxy's address; Ponder gets the
   * aggregators behind it, which emit the answers.
   */
  priceFeeds: Address[];
  /** The block in which the TokenFactory was deployed. */
  startBlock: number;
};

export const chainVariables = z.object({
  PONDER_RPC_URL: rpcUrls,
  HISTORY_SOURCE: portalUrl.optional(),
  SYNC: z.enum(["built-in", "ponder"], { error: "must be built-in or ponder" }).default("built-in"),
  POLLING_INTERVAL: integer(100, 60_000).default(1_000),
  DEPLOYMENT: z.string().optional(),
  TOKEN_FACTORY_ADDRESS: address,
  LAUNCHPAD_ADDRESS: address,
  BNB_USD_FEED_ADDRESS: addresses.default([]),
  START_BLOCK: integer(0, 2_000_000_000),
});

/** Reads and checks the variables of one chain. Returns an empty list if the chain is not indexed. */
export function readChain(id: ChainId, environment: Variables, problems: string[]): ChainSettings[] {
  const variables = withDeploymentFile(id, environment, problems);
  if (variables === undefined) return [];
  if (!variables[`PONDER_RPC_URL_${id}`]) {
    for (const variable of [
      "TOKEN_FACTORY_ADDRESS",
      "LAUNCHPAD_ADDRESS",
      "BNB_USD_FEED_ADDRESS",
      "HISTORY_SOURCE",
      "DEPLOYMENT",
    ]) {
      const name = `${variable}_${id}`;
      if (!variables[name]) continue;
      problems.push(
        `PONDER_RPC_URL_${id} is missing: set the RPC endpoint of the chain, or take out ${name}`,
      );
      break;
    }
    return [];
  }
  const values = readVariables(chainVariables, variables, `_${id}`, problems);
  if (values === undefined) return [];
  return [
    {
      id,
      rpcUrls: values.PONDER_RPC_URL.http,
      webSocketUrls: values.PONDER_RPC_URL.webSocket,
      historySource: values.HISTORY_SOURCE,
      sync: values.SYNC,
      pollingInterval: values.POLLING_INTERVAL,
      tokenFactory: values.TOKEN_FACTORY_ADDRESS,
      launchpad: values.LAUNCHPAD_ADDRESS,
      priceFeeds: values.BNB_USD_FEED_ADDRESS,
      startBlock: values.START_BLOCK,
    },
  ];
}

/** What `npm run contracts:deploy` writes. More fields may be added. */
const deployment = z.object({
  chainId: z.int(),
  tokenFactory: address,
  launchpad: address,
  startBlock: z.int().min(0).max(2_000_000_000),
});

const replaced = ["TOKEN_FACTORY_ADDRESS", "LAUNCHPAD_ADDRESS", "START_BLOCK"];

/**
 * Returns the variables with those that a chain's deployment file replaces, if `DEPLOYMENT_<id>` names one. If the file can't be used,
 * or one of the variables is set as well, adds a line to `problems` and returns undefined.
 */
function withDeploymentFile(id: number, variables: Variables, problems: string[]): Variables | undefined {
  const name = `DEPLOYMENT_${id}`;
  const file = variables[name];
  if (!file) return variables;
  const isSet = replaced.map((variable) => `${variable}_${id}`).find((variable) => variables[variable]);
  if (isSet !== undefined) {
    problems.push(`${name} and ${isSet} are both set: take out one of them`);
    return undefined;
  }
  const read = readDeployment(file, id);
  if (typeof read === "string") {
    problems.push(`${name} is wrong: the file that it names ${read}`);
    return undefined;
  }
  return {
    ...variables,
    [`TOKEN_FACTORY_ADDRESS_${id}`]: read.tokenFactory,
    [`LAUNCHPAD_ADDRESS_${id}`]: read.launchpad,
    [`START_BLOCK_${id}`]: String(read.startBlock),
  };
}

/** Returns the deployment, or what is wrong with the file. */
function readDeployment(file: string, id: number): z.output<typeof deployment> | string {
  let text: string;
  try {
    // Some editors begin a file with a byte order mark, which JSON doesn't have.
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    return `can't be read (${(error as NodeJS.ErrnoException).code})`;
  }
  const json = parseJson(text);
  if (json === undefined) return "is not JSON";
  const parsed = deployment.safeParse(json);
  if (parsed.success) return parsed.data.chainId === id ? parsed.data : `is of chain ${parsed.data.chainId}`;
  const [issue] = parsed.error.issues;
  return `has a wrong ${String(issue?.path[0] ?? "form")}`;
}
