import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  type PublicClient,
  zeroAddress,
} from "viem";
import { priceFeedAbi } from "../../abis/PriceFeed.ts";
import { priceFeedProxyAbi } from "../../abis/PriceFeedProxy.ts";
import { createRpcClient, isRevert, isStillSyncing } from "../../chain-access/rpc-client.ts";
import { feedVariable } from "../../config/chains.ts";
import type { ChainSettings } from "../../config/env.ts";
import { StartError } from "../start-error.ts";

/** The contracts that emit a feed's answers, and remarks to log if something looks odd. */
export type ResolvedFeed = { aggregators: Address[]; remarks: string[] };

/** The decimals of the BNB price in USD, in our tables and in Chainlink's USD feeds. */
const requiredDecimals = 8;
/** No real proxy has this many phases: Chainlink's have had a few in years. */
const maxPhases = 255;

const advice =
  "set the address of the chain's BNB/USD feed at https://docs.chain.link/data-feeds/price-feeds/addresses, or none, for no amounts in USD";

/**
 * Finds the contracts that emit the answers of the feed at `address`: the feed itself or, behind a proxy, the aggregator of
 * each phase. Throws a StartError that names `variable` if that is not a BNB/USD feed with 8 decimals, and the client's error
 * if the endpoint does not respond.
 */
export async function resolveFeed(
  client: PublicClient,
  address: Address,
  variable: string,
): Promise<ResolvedFeed> {
  const ask = (of: Address, functionName: "decimals" | "description" | "latestRoundData") =>
    callView(client, of, { abi: priceFeedAbi, functionName });
  const refuse = (problem: string): never => {
    throw new StartError(`${variable} is wrong: ${problem}: ${advice}`);
  };

  if ((await client.getCode({ address })) === undefined) refuse(`there is no contract at ${address}`);
  const [decimals, description, lastRound] = await Promise.all([
    ask(address, "decimals"),
    ask(address, "description"),
    ask(address, "latestRoundData"),
  ]);
  if (decimals === undefined || (description === undefined && lastRound === undefined)) {
    refuse(`the contract at ${address} is not a price feed`);
  }
  if (decimals !== requiredDecimals) {
    refuse(`the feed at ${address} answers with ${decimals} decimals, and ${requiredDecimals} are needed`);
  }
  const remarks =
    typeof description === "string" && !/bnb\b.*\busd\b/i.test(description)
      ? [
          `${variable}: the feed at ${address} calls itself ${JSON.stringify(description.slice(0, 60))}: is it BNB/USD?`,
        ]
      : [];

  const phases = await readPhaseAggregators(client, address);
  if (phases === undefined) return { aggregators: [address], remarks };
  if (phases.length === 0) refuse(`the contract at ${address} is not a proxy of a price feed`);

  // Call the aggregators directly, not through the proxy. A contract that serves several feeds doesn't answer direct calls,
  // because it can't know which feed is meant, and its events would be those of all its feeds.
  const answering = await Promise.all(
    phases.map(async (aggregator) => (await ask(aggregator, "decimals")) === requiredDecimals),
  );
  const current = phases.at(-1) as Address;
  if (!answering.at(-1)) {
    refuse(
      `the aggregator ${current} behind the proxy at ${address} does not answer with ${requiredDecimals} decimals`,
    );
  }
  for (const aggregator of phases.filter((_, index) => !answering[index])) {
    remarks.push(
      `${variable}: the former aggregator ${aggregator} does not answer with ${requiredDecimals} decimals, and is left out`,
    );
  }
  return { aggregators: [...new Set(phases.filter((_, index) => answering[index]))], remarks };
}

/**
 * Reads the aggregators of a proxy, from the oldest to the current one. Returns undefined if the contract is not a proxy, and
 * an empty list if it claims more than `maxPhases`.
 */
async function readPhaseAggregators(client: PublicClient, address: Address): Promise<Address[] | undefined> {
  const abi = priceFeedProxyAbi;
  const [current, phaseId] = await Promise.all([
    callView(client, address, { abi, functionName: "aggregator" }),
    callView(client, address, { abi, functionName: "phaseId" }),
  ]);
  if (current === undefined || phaseId === undefined) return undefined;
  if (phaseId > maxPhases) return [];
  const numbers = Array.from({ length: phaseId }, (_, index) => index + 1);
  const phases = await Promise.all(
    numbers.map((phase) =>
      callView(client, address, { abi, functionName: "phaseAggregators", args: [phase] }),
    ),
  );
  const existing = phases.filter((phase) => phase !== undefined && !isAddressEqual(phase, zeroAddress));
  return [...existing, current].map((phase) => (phase as Address).toLowerCase() as Address);
}

/**
 * Calls a view function. Resolves to undefined if the contract has no such function or reverts; throws if the endpoint did
 * not respond. viem's readContract treats an endpoint's internal error as a revert, which would make a proxy look like an
 * aggregator.
 */
async function callView<
  const abi extends Abi,
  name extends ContractFunctionName<abi, "view">,
  const args extends ContractFunctionArgs<abi, "view", name>,
>(
  client: PublicClient,
  to: Address,
  call: { abi: abi; functionName: name; args?: args },
): Promise<ContractFunctionReturnType<abi, "view", name, args> | undefined> {
  const data = encodeFunctionData(call as never);
  let answer: Hex;
  try {
    answer = await client.request({ method: "eth_call", params: [{ to, data }, "latest"] });
  } catch (error) {
    if (isRevert(error)) return undefined;
    throw error;
  }
  try {
    return decodeFunctionResult({ ...call, data: answer } as never) as never;
  } catch {
    return undefined;
  }
}

const TIMEOUT_MS = 5_000;

/** The settings of a chain that its price feeds depend on. */
export type FeedChain = Pick<ChainSettings, "id" | "rpcUrls" | "priceFeeds">;

/**
 * Resolves every configured feed of a chain through the first endpoint that answers all calls and has the chain; undefined if none
 * does. Throws a StartError for an address that is not a feed.
 */
export async function resolveChainFeeds(chain: FeedChain): Promise<ResolvedFeed | undefined> {
  for (const url of chain.rpcUrls) {
    const client = createRpcClient({ urls: [url], endpointMs: TIMEOUT_MS, retryCount: 1 });
    try {
      // The endpoint may have been unavailable when the chains were checked, and may serve another chain.
      if ((await client.getChainId()) !== chain.id) continue;
      const feeds = await Promise.all(
        chain.priceFeeds.map((address) => resolveFeed(client, address, feedVariable(chain))),
      );
      return {
        // Sorted, because a different order would change Ponder's build id.
        aggregators: [...new Set(feeds.flatMap(({ aggregators }) => aggregators))].sort(),
        remarks: feeds.flatMap(({ remarks }) => remarks),
      };
    } catch (error) {
      // A node that is still syncing lacks contracts that the chain has.
      if (error instanceof StartError && !(await isStillSyncing(client))) throw error;
    }
  }
  return undefined;
}
