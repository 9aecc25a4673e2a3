import { expect, test } from "vitest";
import { refuseUpload } from "./refuse-upload.ts";

test("an upload too many may be tried again in some seconds", () => {
  expect(refuseUpload("everyone")).toMatchObject({ status: 503, code: "busy", retryAfter: 5 });
  expect(refuseUpload("owner")).toMatchObject({ status: 429, code: "too_many_uploads", retryAfter: 5 });
});
