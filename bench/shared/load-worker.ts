import { once } from "node:events";
import { connect } from "node:net";
import pg from "pg";
import type { HttpRequest, LoadJob, LoadResult, SqlRequest } from "./load.ts";
import { receiveMessage, sendMessage } from "./process.ts";
import { summarize } from "./report.ts";

/*
 * A process that only sends requests and measures their times. Each of its connections sends the next request as soon as the previous
 * one is answered. All requests that are sent during the measured time count.
 */

/** Sends the request with this index on a connection of its own. Resolves once its answer has arrived, to whether it succeeded. */
type Send = (index: number) => Promise<boolean>;

const job = await receiveMessage<LoadJob>();
const { url, requests, inFlight, warmUp, seconds } = job;
const open = job.kind === "http" ? () => openHttp(job.requests.map(encode)) : () => openSql(job.requests);
const connections = await Promise.all(Array.from({ length: inFlight }, open));

const from = performance.now() + 1_000 * warmUp;
const to = from + 1_000 * seconds;
const times: { group: string; took: number }[] = [];
let next = 0;
let refused = 0;
let answeredInTime = 0;
await Promise.all(connections.map(keepSending));
const timesOf = (some: typeof times) => summarize(some.map(({ took }) => took));
const groups = Object.entries(Object.groupBy(times, ({ group }) => group));
await sendMessage({
  perSecond: answeredInTime / seconds,
  times: timesOf(times),
  groups: Object.fromEntries(groups.map(([group, some = []]) => [group, timesOf(some)])),
  refused,
} satisfies LoadResult);

async function keepSending(send: Send): Promise<void> {
  for (;;) {
    const index = next++ % requests.length;
    const sentAt = performance.now();
    if (sentAt >= to) return;
    const isAnswered = await send(index);
    if (sentAt < from) continue;
    const answeredAt = performance.now();
    if (!isAnswered) refused++;
    if (answeredAt <= to) answeredInTime++;
    times.push({ group: requests[index]?.group ?? "", took: answeredAt - sentAt });
  }
}

/** Each statement is prepared once per connection, as in a service that runs it often. */
async function openSql(statements: SqlRequest[]): Promise<Send> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return async (index) => {
    const { text, values, group } = statements[index] as SqlRequest;
    await client.query({ name: group, text, values });
    return true;
  };
}

/** Encodes a GET, or a POST if there is a body. */
function encode({ path, body }: HttpRequest): string {
  const lines = ["host: 127.0.0.1", "accept: application/json"];
  if (body !== undefined) {
    lines.push("content-type: application/json", `content-length: ${Buffer.byteLength(body)}`);
  }
  const method = body === undefined ? "GET" : "POST";
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/**
 * Opens a connection that only parses as much as it needs to find the end of an answer: a client that does more would take processor
 * time from the server that it measures.
 */
async function openHttp(encoded: string[]): Promise<Send> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  await once(socket, "connect");
  let waiting = Promise.withResolvers<boolean>();
  let head = "";
  /** Bytes of the body that are still to come, and undefined for a chunked one. */
  let left: number | undefined;

  socket.on("data", (chunk) => {
    let body = chunk;
    if (left === undefined && !head.endsWith("\r\n\r\n")) {
      head += chunk.toString("latin1");
      const headEnd = head.indexOf("\r\n\r\n") + 4;
      if (headEnd < 4) return;
      body = chunk.subarray(chunk.length - (head.length - headEnd));
      head = head.slice(0, headEnd);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      left = length === undefined ? undefined : Number(length);
    }
    if (left !== undefined) left -= body.length;
    const isComplete = left === undefined ? body.subarray(-5).toString("latin1") === "0\r\n\r\n" : left <= 0;
    if (!isComplete) return;
    const isOk = head.startsWith("200", 9);
    head = "";
    left = undefined;
    waiting.resolve(isOk);
  });
  const fail = (error = new Error("the server closed the connection")) => waiting.reject(error);
  socket.on("error", fail).on("close", () => fail());
  waiting.promise.catch(() => undefined);

  return async (index) => {
    waiting = Promise.withResolvers<boolean>();
    socket.write(encoded[index] as string);
    return await waiting.promise;
  };
}
