import { once } from "node:events";
import fc from "fast-check";
import pg from "pg";
import copy from "pg-copy-streams";
import { expect, inject, test } from "vitest";
import { copyText, writeAll } from "./write-rows.ts";

type Row = { note: string | null; amount: bigint | null; isFinal: boolean; data: Buffer };

const asIs = { mapToDriverValue: (value: unknown) => value };
const columns = ["note", "amount", "isFinal", "data"].map((name) => ({ name, column: asIs }));
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom("\\", "\n", "\r", "\t", "\b", "\f", "\v", "N", ".", "x", "a", "🚀") }),
  fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", "")),
);
const rows = fc.array(
  fc.record<Row>({
    note: fc.option(texts),
    amount: fc.option(fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n })),
    isFinal: fc.boolean(),
    data: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 20 },
);

async function copied(client: pg.Client, chunks: Iterable<string>): Promise<Row[]> {
  await client.query("truncate copied");
  const stream = client.query(copy.from("copy copied (note, amount, is_final, data) from stdin"));
  const finished = once(stream, "finish");
  await writeAll(stream, chunks);
  await finished;
  const { rows } = await client.query("select * from copied order by place");
  return rows.map(({ note, amount, is_final: isFinal, data }) => ({
    note,
    isFinal,
    data,
    amount: amount === null ? null : BigInt(amount),
  }));
}

async function withTable(use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  await client.query(
    "create temp table copied (note text, amount numeric(78), is_final boolean, data bytea, place int generated always as identity)",
  );
  await use(client).finally(() => client.end());
}

test("Postgres reads back what is written, whatever is in it", async () => {
  await withTable(async (client) => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        expect(await copied(client, copyText(columns, given))).toEqual(given);
      }),
    );
  });
});

test("rows of many chunks arrive in their order", async () => {
  const data = Buffer.alloc(100);
  const given = Array.from({ length: 5_001 }, (_, index) => ({
    note: `${index}`,
    amount: BigInt(index),
    isFinal: index % 2 === 0,
    data,
  }));
  await withTable(async (client) => {
    expect(await copied(client, copyText(columns, given))).toEqual(given);
  });
});

test("a value that is not plain is written in the column's own form", () => {
  const column = { mapToDriverValue: JSON.stringify };
  const rows = [{ links: { a: 1 } }, { links: null }];
  expect([...copyText([{ name: "links", column }], rows)]).toEqual(['{"a":1}\n\\N\n']);
});

test("no character of a value stands for itself after a backslash: Postgres may refuse that some day", () => {
  const rows = [{ note: "\\ \b \f \n \r \t \v" }];
  expect([...copyText([{ name: "note", column: asIs }], rows)]).toEqual(["\\\\ \\b \\f \\n \\r \\t \\v\n"]);
});
