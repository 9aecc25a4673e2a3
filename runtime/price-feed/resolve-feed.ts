import { type Address, isAddressEqual, type PublicClient, zeroAddress } from "viem";
import { priceFeedAbi } from "../../abis/PriceFeed.ts";
import { priceFeedProxyAbi } from "../../abis/PriceFeedProxy.ts";
import { StartError } from "../start-error.ts";
import { callView } from "./call-view.ts";

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
    throw new StartError("failed", `${variable} is wrong: ${problem}: ${advice}`);
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
    typeof description === "string" && !isBnbInUsd(description)
      ? [`${variable}: the feed at ${address} calls itself ${quoted(description)}: is it BNB/USD?`]
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
  return { aggregators: distinct(phases.filter((_, index) => answering[index])), remarks };
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
  const known = phases.filter((phase) => phase !== undefined && !isAddressEqual(phase, zeroAddress));
  return [...known, current].map((phase) => (phase as Address).toLowerCase() as Address);
}

function isBnbInUsd(description: string): boolean {
  return /bnb\b.*\busd\b/i.test(description);
}

/** Quotes a contract's text so that it is safe in a log line. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}

function distinct(addresses: Address[]): Address[] {
  return [...new Set(addresses)];
}
