import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { readSecretFiles } from "./process-environment.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  place = await temporaryFolder();
});
afterAll(() => place.remove());

function file(content: string): string {
  const name = path.join(place.folder, `secret-${Math.random()}`);
  writeFileSync(name, content);
  return name;
}

test("a secret is read from the file that a variable names, without the line break at its end", () => {
  const variables = {
    DATABASE_URL_FILE: file("postgres://u:p@host/db\n"),
    PONDER_RPC_URL_97_FILE: file("https://one/key,https://two/key\r\n"),
    CLICKHOUSE_PASSWORD_FILE: file("p#ss\n"),
    PINATA_JWT_FILE: "",
  };
  expect(readSecretFiles(variables)).toEqual([]);
  expect(variables).toEqual({
    DATABASE_URL: "postgres://u:p@host/db",
    DATABASE_URL_FILE: "",
    PONDER_RPC_URL_97: "https://one/key,https://two/key",
    PONDER_RPC_URL_97_FILE: "",
    CLICKHOUSE_PASSWORD: "p#ss",
    CLICKHOUSE_PASSWORD_FILE: "",
    PINATA_JWT_FILE: "",
  });
});

test("an empty variable beside the one of its file counts as unset", () => {
  const variables = { KUBO_RPC_TOKEN: "", KUBO_RPC_TOKEN_FILE: file("token") };
  expect(readSecretFiles(variables)).toEqual([]);
  expect(variables.KUBO_RPC_TOKEN).toBe("token");
});

test("what can't be used is named, and neither secrets nor file names are repeated", () => {
  const variables = {
    DATABASE_URL: "postgres://u:p@host/db",
    DATABASE_URL_FILE: file("postgres://u:p@host/other"),
    DATABASE_READ_URL_FILE: path.join(place.folder, "missing"),
    DATABASE_SQL_URL_FILE: place.folder,
    PINATA_JWT_FILE: file(" \n"),
    PONDER_RPC_URL_56_FILE: file("https://one/key\nhttps://two/key\n"),
  };
  expect(readSecretFiles(variables)).toEqual([
    "DATABASE_URL and DATABASE_URL_FILE are both set: take out one of them",
    "DATABASE_READ_URL_FILE is wrong: the file that it names can't be read (ENOENT)",
    "DATABASE_SQL_URL_FILE is wrong: the file that it names can't be read (EISDIR)",
    "PINATA_JWT_FILE is wrong: the file that it names is empty",
    "PONDER_RPC_URL_56_FILE is wrong: the file that it names has more than one line",
  ]);
});
