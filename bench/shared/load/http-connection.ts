import { once } from "node:events";
import { connect } from "node:net";
import type { HttpRequest } from "./load.ts";

const headEnd = "\r\n\r\n";
const chunkedEnd = Buffer.from("0\r\n\r\n");

export type HttpConnection = {
  /** Sends a request. Resolves to the status of the answer once it has arrived completely. */
  send(request: Buffer): Promise<number>;
  close(): void;
};

/**
 * A connection with one request at a time. It only parses as much as it needs to find the end of an answer: a client that does more
 * would take processor time from the server that it measures.
 */
export async function openConnection(port: number): Promise<HttpConnection> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  let waiting: PromiseWithResolvers<number> | undefined;
  let head: Buffer | undefined;
  let status = 0;
  /** The remaining bytes of the body; undefined for a chunked one. */
  let left: number | undefined;

  function fail(error: Error): void {
    waiting?.reject(error);
    waiting = undefined;
  }

  function done(): void {
    head = undefined;
    const answered = waiting;
    waiting = undefined;
    answered?.resolve(status);
  }

  function readHead(chunk: Buffer): Buffer | undefined {
    const data = head === undefined ? chunk : Buffer.concat([head, chunk]);
    head = data;
    const end = data.indexOf(headEnd);
    if (end === -1) return undefined;
    const text = data.toString("latin1", 0, end);
    status = Number(text.slice(9, 12));
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    left = length === undefined ? undefined : Number(length);
    isInBody = true;
    return data.subarray(end + headEnd.length);
  }

  let isInBody = false;
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
    done();
  });
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the server closed the connection")));

  return {
    send(request) {
      waiting = Promise.withResolvers<number>();
      socket.write(request);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

/** Encodes a GET, or a POST if there is a body. */
export function httpRequest({ path, body }: HttpRequest): Buffer {
  const lines = ["host: 127.0.0.1", "accept: application/json"];
  if (body !== undefined) {
    lines.push("content-type: application/json", `content-length: ${Buffer.byteLength(body)}`);
  }
  const method = body === undefined ? "GET" : "POST";
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
}
