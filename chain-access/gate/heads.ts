import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { isHex } from "../hex.ts";

/** Milliseconds that slower endpoints have once the first has answered. */
const graceMs = 250;

/**
 * Asks all endpoints for their heads at once, and notes them in `endpoint.head`.
 *
 * @returns the highest known head; undefined if there is none
 */
export async function readHeads(endpoints: readonly Endpoint[]): Promise<number | undefined> {
  const ours = endpoints.filter(({ excluded }) => excluded === undefined);
  const answers = ours.map(readHead);
  const all = Promise.allSettled(answers);
  await Promise.race([all, Promise.any(answers).then(() => delay(graceMs), allFailed)]);
  const heads = ours.flatMap(({ head }) => head ?? []);
  return heads.length === 0 ? undefined : Math.max(...heads);
}

async function readHead(endpoint: Endpoint): Promise<void> {
  if (endpoint.waitFor(1) > 0) throw new EndpointFault("rate", "not now");
  endpoint.reserve(1);
  const [answer] = await endpoint.send([{ method: "eth_blockNumber", params: [] }]);
  if (answer instanceof EndpointFault) throw answer;
  const head = isHex(answer) ? Number(answer) : Number.NaN;
  if (!Number.isSafeInteger(head)) throw new EndpointFault("wrong", "a head that is no number");
  endpoint.head = head;
}

/** Then there are no slower answers to wait for. */
const allFailed = () => {};
