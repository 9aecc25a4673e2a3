import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { AttackRequest } from "../attacks/attack.ts";
import { hold } from "./hold.ts";
import type { AttackJob, Tally } from "./job.ts";

/** How long a client whose connection was refused or closed waits before it connects again. */
const reconnectMs = 1_000;

/** Sends the requests of an attack, `inFlight` at a time, until the time is over. */
export async function flood(
  { url, addresses, inFlight, seconds }: Omit<AttackJob, "attack">,
  make: (count: number) => AttackRequest,
): Promise<Tally> {
  const tally: Tally = {};
  const ending = AbortSignal.timeout(seconds * 1_000);
  let sent = 0;
  async function keepSending(slot: number): Promise<void> {
    const localAddress = addresses[slot % addresses.length] as string;
    const agent = new Agent({ keepAlive: true, localAddress });
    while (!ending.aborted) {
      const request = make(sent++);
      const outcome =
        request.hold === undefined
          ? await send(url, request, agent, ending).then(
              ({ status }) => String(status),
              (error: { code?: string; name: string }) =>
                ending.aborted ? "cut short" : (error.code ?? error.name),
            )
          : await hold(url, request, request.hold, localAddress, ending);
      tally[outcome] = (tally[outcome] ?? 0) + 1;
      if (request.hold !== undefined) await delay(reconnectMs, undefined, { signal: ending }).catch(() => {});
    }
    agent.destroy();
  }

  await Promise.all(Array.from({ length: inFlight }, (_, slot) => keepSending(slot)));
  return tally;
}

/** Sends a request and reads its answer. */
export async function send(
  url: string,
  { method = "GET", path, headers, body }: AttackRequest,
  agent?: Agent,
  signal?: AbortSignal,
): Promise<{ status: number; body: string }> {
  const asked = httpRequest(new URL(path, url), { method, headers, agent, signal });
  asked.end(body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, body: (await buffer(answer)).toString() };
}
