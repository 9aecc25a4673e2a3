import { once } from "node:events";
import { connect } from "node:net";
import pg from "pg";
import type { HttpRequest, LoadJob, LoadResult, SqlRequest } from "./load.ts";
import { readJob, sendMessage } from "./process.ts";
import { summarize } from "./report.ts";

/*
 * A process that only sends requests and measures their times. Each of its connections sends the next request as soon as the previous
 * one is answered. All requests that are sent during the measured time count.
 */

/** A connection with one request at a time. */
type Sender = {
  /** Sends the request with this index. Resolves once its answer has arrived completely, to whether it succeeded. */
  send(index: number): Promise<boolean>;
  close(): unknown;
};

const { target, inFlight, warmUpSeconds, seconds } = await readJob<LoadJob>();
const { requests } = target;
const open =
  target.kind === "http"
    ? () => openHttp(target.url, target.requests.map(encode))
    : () => openSql(target.databaseUrl, target.requests);
const senders = await Promise.all(Array.from({ length: inFlight }, open));

const from = performance.now() + 1_000 * warmUpSeconds;
const to = from + 1_000 * seconds;
const times = new Map<string, number[]>();
let next = 0;
let refused = 0;
let answeredInTime = 0;
await Promise.all(
  senders.map(async (sender) => {
    for (;;) {
      const index = next++ % requests.length;
      const sentAt = performance.now();
      if (sentAt >= to) return;
      const isAnswered = await sender.send(index);
      if (sentAt < from) continue;
      const answeredAt = performance.now();
      if (!isAnswered) refused++;
      if (answeredAt <= to) answeredInTime++;
      const group = requests[index]?.group ?? "";
      const ofGroup = times.get(group);
      if (ofGroup === undefined) times.set(group, [answeredAt - sentAt]);
      else ofGroup.push(answeredAt - sentAt);
    }
  }),
);
await Promise.all(senders.map((sender) => sender.close()));
await sendMessage({
  perSecond: answeredInTime / seconds,
  times: summarize([...times.values()].flat()),
  groups: Object.fromEntries([...times].map(([group, ofGroup]) => [group, summarize(ofGroup)])),
  refused,
} satisfies LoadResult);

/** Each statement is prepared once per connection, as in a service that runs it often. */
async function openSql(databaseUrl: string, statements: SqlRequest[]): Promise<Sender> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    async send(index) {
      const { text, values, group } = statements[index] as SqlRequest;
      await client.query({ name: group, text, values });
      return true;
    },
    close: () => client.end(),
  };
}

/** Encodes a GET, or a POST if there is a body. */
function encode({ path, body }: HttpRequest): Buffer {
  const lines = ["host: 127.0.0.1", "accept: application/json"];
  if (body !== undefined) {
    lines.push("content-type: application/json", `content-length: ${Buffer.byteLength(body)}`);
  }
  const method = body === undefined ? "GET" : "POST";
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
}

/**
 * Opens a connection that only parses as much as it needs to find the end of an answer: a client that does more would take processor
 * time from the server that it measures.
 */
async function openHttp(url: string, encoded: Buffer[]): Promise<Sender> {
  const headEnd = "\r\n\r\n";
  const chunkedEnd = Buffer.from("0\r\n\r\n");
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  await once(socket, "connect");
  let waiting: PromiseWithResolvers<boolean> | undefined;
  let head: Buffer | undefined;
  let isInBody = false;
  let status = 0;
  /** The remaining bytes of the body; undefined for a chunked one. */
  let left: number | undefined;

  function fail(error: Error): void {
    waiting?.reject(error);
    waiting = undefined;
  }

  /** Returns the first part of the body once the head is complete. */
  function readHead(chunk: Buffer): Buffer | undefined {
    head = head === undefined ? chunk : Buffer.concat([head, chunk]);
    const end = head.indexOf(headEnd);
    if (end === -1) return undefined;
    const text = head.toString("latin1", 0, end);
    status = Number(text.slice(9, 12));
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    left = length === undefined ? undefined : Number(length);
    isInBody = true;
    return head.subarray(end + headEnd.length);
  }

  socket.on("data", (chunk) => {
    const body = isInBody ? chunk : readHead(chunk);
    if (body === undefined) return;
    if (left === undefined) {
      if (!body.subarray(-chunkedEnd.length).equals(chunkedEnd)) return;
    } else {
      left -= body.length;
      if (left > 0) return;
    }
    isInBody = false;
    head = undefined;
    const answered = waiting;
    waiting = undefined;
    answered?.resolve(status === 200);
  });
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the server closed the connection")));

  return {
    send(index) {
      waiting = Promise.withResolvers<boolean>();
      socket.write(encoded[index] as Buffer);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}
