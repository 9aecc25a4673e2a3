import { setTimeout as delay } from "node:timers/promises";
import { type Change, planChange } from "./changes.ts";
import type { Counts, NoteBytes } from "./counts.ts";
import type { ForeignLogs } from "./foreign-logs.ts";
import {
  type Answer,
  answerTo,
  brokenReply,
  type Call,
  type NoReply,
  type Reply,
  type Upstream,
} from "./json-rpc.ts";
import { type AskOne, answerAtHead } from "./lag.ts";
import { batchError, createBucket, limitError, stateError, tooManyRequests } from "./limits.ts";
import type { EndpointSettings } from "./settings.ts";

/** The answer to a call; or the call to send to the node, and how to change its answer. */
type Plan = { answer: Answer } | { call: Call; change: Change | undefined };

export type Request = { calls: Call[]; isBatch: boolean; body: Buffer };

/** Reads a body. Throws a SyntaxError if it isn't JSON. */
export function parseRequest(body: Buffer): Request {
  const parsed = JSON.parse(body.toString()) as Call | Call[];
  return { calls: Array.isArray(parsed) ? parsed : [parsed], isBatch: Array.isArray(parsed), body };
}

export type Behind = { settings: EndpointSettings; upstream: Upstream; foreignLogs: ForeignLogs };

/** Answers as the settings say. An answer that needs no change is streamed through unread. */
export async function respond(
  { calls, isBatch, body }: Request,
  { settings, upstream, foreignLogs }: Behind,
): Promise<Reply> {
  if (calls.length > settings.batchSize) {
    const error = batchError(settings);
    return { status: 500, body: JSON.stringify({ jsonrpc: "2.0", id: null, error }) };
  }
  const url = settings.upstream;
  const ask: AskOne = async (method, params) =>
    (await upstream.ask(url, [{ jsonrpc: "2.0", id: 1, method, params }]))[0]?.result;
  const { lag, logsLag, headAhead, refusesFuture, logsBackend, states } = settings;
  const isBehind = lag > 0 || logsLag > 0;
  const dependsOnHeight = isBehind || headAhead > 0 || Number.isFinite(states);
  const height = dependsOnHeight ? Number(await ask("eth_blockNumber", [])) : Number.POSITIVE_INFINITY;
  const asksForLogs = ({ method }: Call) => method === "eth_getLogs";
  const isForLogs = (call: Call) =>
    logsBackend === "single calls" ? asksForLogs(call) : calls.some(asksForLogs);
  const headFor = (call: Call) => Math.max(0, height - Math.max(lag, isForLogs(call) ? logsLag : 0));

  const planOf = async (call: Call): Promise<Plan> => {
    const error = limitError(call, settings) ?? stateError(call, settings, height);
    if (error !== undefined) return { answer: answerTo(call, { error }) };
    if (headAhead > 0 && call.method === "eth_blockNumber") {
      return { answer: answerTo(call, { result: `0x${(height - lag + headAhead).toString(16)}` }) };
    }
    const head = headFor(call);
    const known = isBehind ? await answerAtHead(call, { head, refusesFuture }, ask) : call;
    if ("answer" in known) return known;
    return { call: known, change: planChange(known, { settings, head, foreignLogs, ask }) };
  };
  const plans = await Promise.all(calls.map(planOf));
  const forwarded = plans.flatMap((plan) => ("call" in plan ? [plan.call] : []));

  const isPassedOn = plans.every((plan) => "call" in plan && plan.change === undefined);
  if (isPassedOn) {
    const sent = isBehind ? JSON.stringify(isBatch ? forwarded : forwarded[0]) : body;
    const answer = await upstream.post(url, sent);
    const { "content-length": length } = answer.headers;
    return {
      status: answer.statusCode ?? 502,
      headers: length === undefined ? {} : { "content-length": length },
      body: answer,
    };
  }
  const answers = new Map((await upstream.ask(url, forwarded)).map((answer) => [answer.id, answer]));
  const outcomes = await Promise.all(
    plans.map((plan) => {
      if ("answer" in plan) return plan.answer;
      const answer = answers.get(plan.call.id);
      if (answer === undefined) throw new Error(`the node left a ${plan.call.method} unanswered`);
      return plan.change?.(answer) ?? answer;
    }),
  );
  return { status: 200, body: JSON.stringify(isBatch ? outcomes : outcomes[0]) };
}

type Handled = { reply: Reply | NoReply; noteBytes: NoteBytes };

export type Handle = (request: Request, answer?: () => Reply) => Promise<Handled>;

type Options = Behind & { counts: Counts };

/** Counts requests and makes them fail or wait. Those that get through are answered by `answer`, or by the node. */
export function createRequestHandler({ counts, ...behind }: Options): Handle {
  const { settings } = behind;
  const bucket = createBucket();
  let due = 0;

  /** Breakage is spread evenly: with a share of 0.25, every fourth request fails. */
  function isBroken(): boolean {
    due += settings.breakageShare;
    if (due < 1) return false;
    due -= 1;
    return true;
  }

  return async (request, answer) => {
    const { calls, isBatch } = request;
    const noteBytes = counts.request(calls, request.body.length);
    const seconds = bucket.take(calls.length, settings.requestsPerSecond);
    if (settings.latencyMs > 0) await delay(settings.latencyMs);
    if (seconds > 0) {
      counts.refused(calls);
      return { reply: tooManyRequests(calls, isBatch, seconds, settings.rateLimitAnswer), noteBytes };
    }
    if (settings.breakage !== undefined && isBroken()) {
      return { reply: brokenReply(settings.breakage), noteBytes };
    }
    if (settings.redirectTo !== undefined) {
      return { reply: { status: 307, headers: { location: settings.redirectTo }, body: "" }, noteBytes };
    }
    return { reply: answer?.() ?? (await respond(request, behind)), noteBytes };
  };
}
