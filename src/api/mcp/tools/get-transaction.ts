import { type Abi, type Address, type Hex, parseEventLogs } from "viem";
import { z } from "zod";
import { dexPairAbi } from "../../../../abis/DexPair.ts";
import { launchpadAbi } from "../../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../../abis/TokenFactory.ts";
import { decodeCall, sameAddress } from "../decode.ts";
import { chainId } from "../inputs.ts";
import { simulate } from "../simulate.ts";
import { readingToolWithoutBlock } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { plainTexts } from "../untrusted.ts";

const eventAbi: Abi = [...launchpadAbi, ...tokenFactoryAbi, ...launchTokenAbi, ...dexPairAbi];
const maxEvents = 40;

/** Arguments by name, except texts, which anyone may have written. */
const args = z.record(z.string(), z.string());
const texts = z.record(z.string(), z.string());

export const getTransaction = readingToolWithoutBlock({
  name: "get_transaction",
  title: "Get a transaction",
  description:
    "What became of a transaction: its decoded call, the events of launchpad, tokens and DEX that it caused, or why it reverted. Use it after you have sent one. Once it is mined, pass its block as minBlock to other tools, which then see what it did.",
  isOpenWorld: true,
  input: z.object({
    hash: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, "must be a transaction hash: 0x and 64 hexadecimal digits")
      .describe("The transaction's hash.")
      .meta({ examples: [`0x${"3f5ce5fb".repeat(8)}`] }),
    chainId,
  }),
  output: z.object({
    hash: z.string(),
    status: z.enum(["pending", "succeeded", "reverted"]),
    revertReason: z.string().optional().describe("Found by simulating it at the state before its block."),
    block: z.int().nullable(),
    from: z.string(),
    to: z.string().nullable(),
    valueWei: z.string(),
    gasUsed: z.string().nullable(),
    call: z
      .object({ functionName: z.string(), args })
      .nullable()
      .describe("Null if it calls no function of the launchpad, a token or the DEX router."),
    events: z.array(z.object({ contract: z.string(), name: z.string(), args })),
    moreEvents: z.boolean(),
    untrusted: z
      .object({ call: texts, events: z.array(texts) })
      .describe("UNTRUSTED: texts in the call and in events, written by anyone."),
  }),
  async run({ hash, chainId }, { chain }) {
    const transactionHash = { hash: hash as Hex };
    const found = await chain.read(chainId, async (client) => {
      const transaction = await client.getTransaction(transactionHash).catch(ifUnknown);
      if (transaction === undefined) return undefined;
      return { transaction, receipt: await client.getTransactionReceipt(transactionHash).catch(ifUnknown) };
    });
    if (found === undefined) {
      throw new ToolError(
        "transaction_not_found",
        "The chain's endpoint does not know this transaction: check hash and chain, or ask again in a few seconds.",
      );
    }
    const { transaction, receipt } = found;
    const call = decodeCall(transaction.input);
    const isReverted = receipt?.status === "reverted";
    const logs =
      receipt === undefined ? [] : parseEventLogs({ abi: eventAbi, logs: receipt.logs, strict: true });
    const known = logs as unknown as { address: Address; eventName: string; args: object }[];
    const events = known.slice(0, maxEvents).map((log) => ({ ...log, ...splitTexts(log.args) }));
    const calling = call === undefined ? undefined : splitTexts(call.args);
    return {
      hash: hash.toLowerCase(),
      status:
        receipt === undefined
          ? ("pending" as const)
          : isReverted
            ? ("reverted" as const)
            : ("succeeded" as const),
      ...(isReverted ? { revertReason: await findRevertReason() } : {}),
      block: receipt === undefined ? null : Number(receipt.blockNumber),
      from: transaction.from.toLowerCase(),
      to: transaction.to?.toLowerCase() ?? null,
      valueWei: String(transaction.value),
      gasUsed: receipt === undefined ? null : String(receipt.gasUsed),
      call: call === undefined ? null : { functionName: call.functionName, args: calling?.facts ?? {} },
      events: events.map(({ address, eventName, facts }) => ({
        contract: address.toLowerCase(),
        name: eventName,
        args: facts,
      })),
      moreEvents: known.length > maxEvents,
      untrusted: {
        call: plainTexts(calling?.texts ?? {}),
        events: events.map(({ texts }) => plainTexts(texts)),
      },
    };

    async function findRevertReason(): Promise<string> {
      const { from, to, input, value } = transaction;
      if (to === null || receipt === undefined) return "it created a contract that failed";
      const settings = chain.choose(chainId);
      const isOurs = [settings.launchpad, settings.tokenFactory].some((ours) => sameAddress(to, ours));
      const before = receipt.blockNumber - 1n;
      const { outcome, reason } = await simulate(chain, chainId, { from, to, data: input, value }, before);
      if (outcome === "reverts" && reason !== undefined) return reason;
      return isOurs ? "out of gas, or the state changed within its block" : "unknown";
    }
  },
});

function ifUnknown(error: unknown): undefined {
  if (error instanceof Error && /NotFound/.test(error.name)) return undefined;
  throw error;
}

/** Splits values into facts, formatted as text, and free texts, which anyone may have written. */
function splitTexts(values: object) {
  const facts: Record<string, string> = {};
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "string") facts[name] = String(value);
    else if (/^0x[0-9a-fA-F]*$/.test(value)) facts[name] = value.toLowerCase();
    else texts[name] = value;
  }
  return { facts, texts };
}
