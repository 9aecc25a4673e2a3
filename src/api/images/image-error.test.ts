import { expect, onTestFinished, test, vi } from "vitest";
import { asProblem, storageFull, tooBusy, uploadLimitError } from "./image-error.ts";

test("an upload beyond the limit may be retried after some seconds", () => {
  expect(uploadLimitError("everyone")).toMatchObject({ status: 503, code: "busy", retryAfter: 5 });
  expect(uploadLimitError("owner")).toMatchObject({ status: 429, code: "too_many_uploads", retryAfter: 5 });
});

test("of failures that many requests have, each kind is logged once a minute, on one line with its cause", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const fail = () => {
    asProblem(tooBusy("Too many images are being painted."));
    asProblem(storageFull("no\nspace"));
    asProblem(uploadLimitError("owner"));
  };
  for (let request = 0; request < 100; request++) fail();
  const lines = [
    "images: Too many images are being painted.",
    expect.stringMatching(/^images: .* no space$/),
  ];
  expect(logged.mock.calls.flat()).toEqual(lines);
  vi.advanceTimersByTime(60_000);
  fail();
  expect(logged.mock.calls.flat()).toEqual([...lines, ...lines]);
});
