import { Hono } from "hono";
import { expect, test } from "vitest";
import { refuseMethod } from "./error-handler.ts";

const app = new Hono();
app.get("/things/:name", (c, next) => (c.req.param("name") === "known" ? c.text("it") : next()));
app.post("/things", (c) => c.text("made"));
app.get("/a.b", (c) => c.text("dot"));
app.all("*", refuseMethod(app), (c) => c.text("nothing", 404));

test.each([
  ["GET", "/things/known", 200, null],
  ["HEAD", "/things/known", 200, null],
  ["GET", "/things/unknown", 404, null],
  ["HEAD", "/things/unknown", 404, null],
  ["DELETE", "/things/known", 405, "GET, HEAD"],
  ["GET", "/things", 405, "POST"],
  ["PROPFIND", "/things", 405, "POST"],
  ["GET", "/things/known/more", 404, null],
  ["GET", "/axb", 404, null],
  ["POST", "/a.b", 405, "GET, HEAD"],
  ["GET", "/%2e%2e/things", 405, "POST"],
])("%s %s: %i", async (method, path, status, allow) => {
  const response = await app.request(path, { method });
  expect(response.status).toBe(status);
  expect(response.headers.get("Allow")).toBe(allow);
});
