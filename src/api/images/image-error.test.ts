import { expect, test } from "vitest";
import { uploadLimitError } from "./image-error.ts";

test("an upload beyond the limit may be retried after some seconds", () => {
  expect(uploadLimitError("everyone")).toMatchObject({ status: 503, code: "busy", retryAfter: 5 });
  expect(uploadLimitError("owner")).toMatchObject({ status: 429, code: "too_many_uploads", retryAfter: 5 });
});
