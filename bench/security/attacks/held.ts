import { type Attack, pickCombination } from "./attack.ts";

export const slowHeaders: Attack = {
  description: "GET /api/tokens, headers that arrive byte by byte",
  isIdle: true,
  prepare: async () => () => ({ path: "/api/tokens", hold: "headers" }),
};

export const slowBodies: Attack = {
  description: "POST, bodies that arrive byte by byte, to every route that takes one",
  isIdle: true,
  prepare: async () => {
    const json = { "content-type": "application/json" };
    const form = { "content-type": "multipart/form-data; boundary=x" };
    const targets = [
      { path: "/api/tokens", headers: json },
      { path: "/graphql", headers: json },
      { path: "/sql", headers: json },
      { path: "/mcp", headers: { ...json, accept: "application/json, text/event-stream" } },
      { path: "/api/upload-image", headers: form },
    ];
    return (count) => {
      const [{ path, headers }] = pickCombination(count, targets);
      return { method: "POST", path, headers: { ...headers, "content-length": "9000" }, hold: "body" };
    };
  },
};

export const stalledReaders: Attack = {
  description: "GET /api/coingecko/tickers, 1,000 a page, answers that nobody reads to their end",
  prepare: async () => (count) => ({
    path: `/api/coingecko/tickers?limit=1000&page=${1 + (count % 20)}`,
    hold: "answer",
  }),
};

export const heldStreams: Attack = {
  description: "GET /api/stream, 1,000 streams that stay open",
  isIdle: true,
  inFlight: 1_000,
  prepare: async () => () => ({ path: "/api/stream", hold: "stream" }),
};

export const idleConnections: Attack = {
  description: "1,000 connections without a request",
  isIdle: true,
  inFlight: 1_000,
  prepare: async () => () => ({ path: "/", hold: "connection" }),
};
