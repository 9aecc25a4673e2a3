import { z } from "zod";
import { isErrorName } from "../../chain/decode-call.ts";
import { ownReasons } from "../../chain/simulate.ts";
import { transactionRoute, unexplained } from "../../transactions/transaction.routes.ts";
import { chainId } from "../inputs.ts";
import { fittingRows } from "../pages.ts";
import { readingToolWithoutBlock } from "../tool.ts";
import { plainText } from "../untrusted.ts";

/** The most characters of an argument: a call with several that are as long as anyone can make them still fits into a result. */
const maxArgument = 1_000;

/** Arguments by name, except texts, which anyone may have written. */
const args = z.record(z.string(), z.string());
const texts = z.record(z.string(), z.string());

const ourReasons = [...ownReasons, ...Object.values(unexplained)];

export const getTransaction = readingToolWithoutBlock({
  name: "get_transaction",
  title: "Get a transaction",
  description:
    "What became of a transaction: its decoded call, the events of launchpad, tokens and DEX that it caused, or why it reverted. Use it after you have sent one. Once it is mined, pass its block as minBlock to other tools, which then see what it did.",
  isExact: true,
  isOpenWorld: true,
  input: z.object({
    hash: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, "must be a transaction hash: 0x and 64 hexadecimal digits")
      .describe("The transaction's hash."),
    chainId,
  }),
  output: z.object({
    hash: z.string(),
    status: z.enum(["pending", "succeeded", "reverted"]),
    revertReason: z
      .string()
      .optional()
      .describe(
        "Found by simulating it at the state before its block. Left out if it is a text by a contract: untrusted has it.",
      ),
    block: z.int().nullable(),
    from: z.string(),
    to: z.string().nullable(),
    valueWei: z.string(),
    gasUsed: z.int().nullable(),
    call: z
      .object({ functionName: z.string(), args })
      .nullable()
      .describe(
        `Null if it calls no function of the launchpad, a token or the DEX router. Arguments longer than ${maxArgument} characters are cut, and end with "…".`,
      ),
    events: z
      .array(z.object({ contract: z.string(), name: z.string(), args }))
      .describe("Any contract can emit those of a token or a pair: check contract."),
    moreEvents: z.boolean().describe("Whether there are more events, which don't fit."),
    untrusted: z
      .object({ call: texts, events: z.array(texts), revertReason: z.string().optional() })
      .describe("UNTRUSTED: texts in the call, in events and in a revert, written by anyone."),
  }),
  async run({ hash, chainId }, { ask }) {
    const {
      chainId: _,
      revertReason,
      ...found
    } = await ask(transactionRoute, { path: { hash }, query: { chainId } });
    const call = splitTexts(found.call?.args ?? {});
    const all = found.events.map(({ contract, name, args }) => ({ contract, name, ...splitTexts(args) }));
    const events = all.slice(0, fittingRows([call, ...all]).length - 1);
    const isOurReason =
      revertReason !== undefined && (isErrorName(revertReason) || ourReasons.includes(revertReason));
    return {
      ...found,
      ...(isOurReason ? { revertReason } : {}),
      call: found.call === null ? null : { ...found.call, args: call.facts },
      events: events.map(({ contract, name, facts }) => ({ contract, name, args: facts })),
      moreEvents: found.moreEvents || events.length < all.length,
      untrusted: {
        call: call.texts,
        events: events.map(({ texts }) => texts),
        ...(isOurReason || revertReason === undefined ? {} : { revertReason: plainText(revertReason, 60) }),
      },
    };
  },
});

/** Splits arguments into facts (numbers, hexadecimal, true, false and lists of those) and free texts, which anyone may have written. */
function splitTexts(values: Record<string, string>) {
  const entries = Object.entries(values);
  const isFact = ([, value]: [string, string]) => /^((0x[0-9a-f]*|-?\d+|true|false)(,|$))*$/.test(value);
  const cut = ([name, value]: [string, string]) => [name, plainText(value, maxArgument)];
  return {
    facts: Object.fromEntries(entries.filter(isFact).map(cut)),
    texts: Object.fromEntries(entries.filter((entry) => !isFact(entry)).map(cut)),
  };
}
