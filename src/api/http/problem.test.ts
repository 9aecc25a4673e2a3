import { Hono } from "hono";
import { expect, test } from "vitest";
import { type Problem, problemResponse } from "./problem.ts";

test.each<[title: string, problem: Problem]>([
  ["Token not found", { status: 404, code: "token_not_found", detail: "None." }],
  [
    "Hidden by the operator",
    { status: 451, code: "token_hidden", title: "Hidden by the operator", detail: "Why." },
  ],
])("a problem has a title, its code in words unless it says otherwise: %s", async (title, problem) => {
  const app = new Hono().get("/", (c) => problemResponse(c, { ...problem, retryAfter: 3 }));
  const answer = await app.request("/");
  expect(await answer.json()).toEqual({ type: "about:blank", ...problem, title });
  expect(answer.headers.get("retry-after")).toBe("3");
});
