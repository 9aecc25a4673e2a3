import { expect, test } from "vitest";
import { unsignedContent } from "../../test/service/registration.ts";
import { importLines, readInput } from "./import-lines.ts";

const record = {
  chainId: 56,
  mint: `0x${"a".repeat(40)}`,
  name: "N",
  symbol: "S",
  creator: `0x${"c".repeat(40)}`,
  burnPercent: 50,
  ...unsignedContent(null),
  registeredAt: "2026-01-02T03:04:05.678Z",
};
const line = Buffer.from(`${JSON.stringify(record)}\n`);
const moderation = { hide: () => expect.unreachable("no line hides a token") };
const options = { onRefused: (message: string) => expect.unreachable(message) };
const systemError = (message: string) =>
  Object.assign(new Error(message), { syscall: message.split(" ").at(-1) });

test("a file that can't be read any further is named, even if it fails as a connection does", async () => {
  async function* input() {
    yield line;
    throw systemError("ETIMEDOUT: connection timed out, read");
  }
  const stores = { registrations: { writeAll: async () => [] }, moderation };
  await expect(importLines(stores, readInput(input(), "r.jsonl"), options)).rejects.toThrow(
    "cannot read r.jsonl: ETIMEDOUT: connection timed out, read",
  );
});

test("a database that fails while lines are read is not taken for the file", async () => {
  const lost = systemError("write EPIPE");
  async function* input() {
    yield line;
  }
  const writeAll = async () => {
    throw lost;
  };
  const stores = { registrations: { writeAll }, moderation };
  await expect(importLines(stores, readInput(input(), "r.jsonl"), options)).rejects.toBe(lost);
});
