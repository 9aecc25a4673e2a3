import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../../../test/service/condition.ts";
import { temporaryFolder } from "../../../test/service/temporary-folder.ts";
import { type WatchedDenyList, watchDenyList } from "./watch-deny-list.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
let watched: WatchedDenyList | undefined;
const lines: string[] = [];

beforeEach(async () => {
  place = await temporaryFolder();
  file = path.join(place.folder, "deny.txt");
  lines.length = 0;
});
afterEach(async () => {
  watched?.stop();
  await place.remove();
});

const denies = (name: string) => watched?.current().deniedIn({ name, symbol: "X" }).length === 1;
const saw = (text: string) => until(text, async () => lines.some((line) => line.includes(text)));

test("a changed file takes effect within seconds, and an invalid one leaves the last valid list in force", async () => {
  await writeFile(file, "name first\n");
  watched = watchDenyList(file, (line) => lines.push(line));
  expect([denies("first"), denies("second")]).toEqual([true, false]);

  await writeFile(file, "name second\nname third\n");
  await until("the new list", async () => denies("second"));
  expect(denies("first")).toBe(false);
  expect(lines).toEqual([`moderation: 2 entries read from ${file}`]);

  await writeFile(file, "name second\nrubbish\n");
  await saw("line 2: must be name, link or image");
  expect(denies("second")).toBe(true);

  await rm(file);
  await saw("ENOENT");
  expect(denies("second")).toBe(true);

  // Editors and configuration managers replace files like this.
  await writeFile(`${file}.new`, "name fourth\n");
  await rename(`${file}.new`, file);
  await until("the replaced list", async () => denies("fourth"));
});

test("an initial list that is invalid is an error that names file and line", async () => {
  await writeFile(file, "nothing\n");
  expect(() => watchDenyList(file)).toThrow(`${file}: line 1: must be name, link or image`);
});

test("without a file nothing is denied", () => {
  watched = watchDenyList(undefined);
  expect(denies("anything")).toBe(false);
});
