import { literal, statement } from "../../offchain/connection.ts";
import { StartError } from "../../runtime/start-error.ts";
import { daySeconds } from "../manifest.ts";
import { type Column, outOfRange } from "../tables/columns.ts";
import {
  type DayOfChain,
  type EventTable,
  eventTables,
  followedTables,
  idColumns,
  registrations,
  type SnapshotTable,
  snapshotTables,
} from "../tables/tables.ts";
import type { ClickHouse } from "./clickhouse.ts";

/** A table in ClickHouse, with the name and the columns of the lake's. */
export type SinkTable = {
  name: string;
  columns: SinkColumn[];
  /** Columns after `chain_id` by which the rows are sorted. */
  order: string[];
  /** The column with a row's time, in seconds since 1970. */
  time?: string;
  isSnapshot: boolean;
  /** Whether it has rows that a reorg may take back, each of them once for each version. */
  isLive?: boolean;
};

/** A column in ClickHouse, and SQL for Postgres that selects it from a row named `r`, as the format TabSeparated has it. */
type SinkColumn = { name: string; type: string; sql: string };

/** A snapshot's rows have its block, so that of two versions of a row the later one counts. */
export const versionColumn = "snapshot_block";

/** The version that a live row belongs to. */
export const liveVersion = "live_version";

export const liveName = (table: string) => `live_${table}`;

/** The tables whose rows are there before their time is final. Those of whole days aren't. */
export const liveEvents = eventTables.filter(({ step }) => step < daySeconds);

/** Returns all tables of the lake, and those with live rows if they are wanted, given the columns of each folder's table in Postgres. */
export function sinkTables(
  columns: ReadonlyMap<string, Column[]>,
  schema: string,
  { live }: { live: boolean },
): SinkTable[] {
  const events = eventTables.map((table): SinkTable => {
    const own = [...(columns.get(table.folder) ?? []), ...idColumns(table, schema)];
    const order = table.order;
    const time = ["timestamp", "open_time"].find((name) => own.some((column) => column.name === name));
    return { name: table.folder, columns: sinkColumns(own, order), order, time, isSnapshot: false };
  });
  const allSnapshots = [...snapshotTables.map(({ folder, key }) => ({ folder, order: key })), registrations];
  const snapshots = allSnapshots.map(({ folder, order: key }): SinkTable => {
    const order = key.filter((name) => name !== "chain_id");
    return { name: folder, columns: sinkColumns(columns.get(folder) ?? [], order), order, isSnapshot: true };
  });
  const versioned = (table: SinkTable, version: string): SinkTable => ({
    ...table,
    columns: [...table.columns, { name: version, type: "Int64", sql: "" }],
  });
  const liveFolders = live ? [...liveEvents, ...followedTables].map(({ folder }) => folder) : [];
  const liveTables = [...events, ...snapshots].filter(({ name }) => liveFolders.includes(name));
  return [
    ...events,
    ...liveTables.map((table) => {
      return versioned(
        { ...table, name: liveName(table.name), isSnapshot: false, isLive: true },
        liveVersion,
      );
    }),
    ...snapshots.map((table) => versioned(table, versionColumn)),
  ];
}

function sinkColumns(columns: Column[], order: string[]): SinkColumn[] {
  const amounts = columns.filter(({ kind }) => kind === "amount").map(({ name }) => name);
  const mapped = columns.flatMap((column) => {
    // A key can't be null.
    const isNullable = column.isNullable === true && !order.includes(column.name);
    return mappings[column.kind](column.sql ?? statement`r.${column.name}`).map(
      ({ suffix = "", type, sql }) => ({
        name: `${column.name}${suffix}`,
        type: isNullable || column.kind === "amount" ? `Nullable(${type})` : type,
        sql,
      }),
    );
  });
  if (amounts.length > 0)
    mapped.push({ name: outOfRange, type: "Nullable(String)", sql: selectOutOfRange(amounts) });
  return mapped;
}

type Mapping = (value: string) => { suffix?: string; type: string; sql: string }[];

const fits = (value: string) => `abs(${value}) < 1e38`;

const mappings: Record<Column["kind"], Mapping> = {
  amount: (value) => [{ type: "Decimal(38, 0)", sql: `case when ${fits(value)} then ${value} end` }],
  wide: (value) => [
    { type: "String", sql: value },
    { suffix: "_double", type: "Float64", sql: `${value}::float8` },
  ],
  integer: (value) => [{ type: "Int32", sql: value }],
  bigint: (value) => [{ type: "Int64", sql: value }],
  double: (value) => [{ type: "Float64", sql: value }],
  boolean: (value) => [{ type: "Bool", sql: value }],
  text: (value) => [{ type: "String", sql: value }],
  free: (value) => [{ type: "String", sql: value }],
  time: (value) => [
    {
      type: "DateTime64(6, 'UTC')",
      sql: `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`,
    },
  ],
};

/** Selects amounts out of range as JSON, as in the lake's files. */
function selectOutOfRange(amounts: string[]): string {
  const members = amounts.map((name) => {
    const value = statement`r.${name}`;
    return `case when not ${fits(value)} then ${statement`${literal(`"${name}":"`)}`} || ${value} || '"' end`;
  });
  const isLost = amounts.map((name) => `not ${fits(statement`r.${name}`)}`).join(" or ");
  return `case when ${isLost} then '{' || concat_ws(',', ${members.join(", ")}) || '}' end`;
}

/** The log of what has been written, by which every run goes on. */
export const logTable = "sink_ranges";

/** Inserts that a table remembers by their tokens. */
const window = "non_replicated_deduplication_window = 10000";

const createLog = `create table if not exists ${logTable} (
  chain_id Int32 comment '56 (mainnet) or 97 (testnet)',
  state LowCardinality(String) comment 'claimed: a range that a sink began to write; written: one that is complete; snapshot: a snapshot that is complete',
  range Int64 comment 'Number of the range, from 0; 0 for a snapshot',
  since Int64 comment 'Start of the range, in seconds since 1970; of a snapshot: 0 if it has all rows, else those that changed since then',
  until Int64 comment 'End of the range, exclusive, or time of the snapshot',
  block Int64 comment 'Block of the snapshot, else 0',
  rows_per_insert Int32,
  source String comment 'The index that the rows come from',
  written_at DateTime default now()
) engine = MergeTree order by (chain_id, state, range) settings ${window}`;

const createHorizon = `create view if not exists horizon as
  select chain_id, maxIf(until, state = 'written') as events_until, maxIf(block, state = 'snapshot') as snapshot_block,
    maxIf(until, state = 'snapshot') as snapshot_timestamp
  from ${logTable} group by chain_id`;

/** The log of the versions of live rows. */
export const liveLog = {
  name: "sink_live",
  columns: ["chain_id", "version", "since", "since_block", "block", "timestamp"],
} as const;

const createLiveLog = `create table if not exists ${liveLog.name} (
  chain_id Int32 comment '56 (mainnet) or 97 (testnet)',
  version Int64 comment 'Number of the version: a later one is greater',
  since Int64 comment 'Start of its rows, in seconds since 1970: earlier ones are final',
  since_block Int64 comment 'Block of its first trade',
  block Int64 comment 'The block that it is as of',
  timestamp Int64 comment 'Time of that block, in seconds since 1970',
  written_at DateTime default now()
) engine = MergeTree partition by version order by chain_id`;

const createLiveHorizon = `create view if not exists live_horizon as
  select chain_id, argMax(block, version) as live_block, argMax(timestamp, version) as live_timestamp, argMax(since, version) as live_since,
    argMax(since_block, version) as live_since_block, max(version) as last_version
  from ${liveLog.name} group by chain_id`;

/** Creates the view of a table's final rows before the last version of its live rows, and of that version. */
function createLiveView({ name, columns, time }: SinkTable, { step }: EventTable): string {
  const names = [...columns.map((column) => `\`${column.name}\``), ...(time === undefined ? [] : ["day"])];
  const lists = ["chain_id", "last_version", "live_since", "live_since_block"].map(
    (column) => `groupArray(${column})`,
  );
  const place = "indexOf(live.1, chain_id)";
  const isFinal =
    time === undefined
      ? `block < live.4[${place}]`
      : `${time} < live.3[${place}] - live.3[${place}] % ${step}`;
  return `create view if not exists ${name}_all as
    with (select (${lists.join(", ")}) from live_horizon) as live
    select ${names.join(", ")} from ${name} where not has(live.1, chain_id) or ${isFinal}
    union all select ${names.join(", ")} from ${liveName(name)} where ${liveVersion} = live.2[${place}]`;
}

/**
 * Creates the view of a snapshot's rows, with those of the last version of its live rows in place of theirs, unless the snapshot is
 * later: then no sink writes live rows any more.
 */
function createLiveSnapshotView({ name, columns }: SinkTable, { key }: SnapshotTable): string {
  const names = columns.flatMap((column) => (column.name === versionColumn ? [] : [`\`${column.name}\``]));
  const last = `${liveVersion} = live.2[indexOf(live.1, chain_id)]`;
  return `create view if not exists ${name}_all as
    with (
      select (groupArray(chain_id), groupArray(if(live_block >= snapshot_block, last_version, 0)))
      from live_horizon join horizon using (chain_id)
    ) as live
    select ${names.join(", ")} from ${name} final
    where (${key.join(", ")}) not in (select ${key.join(", ")} from ${liveName(name)} where ${last})
    union all select ${names.join(", ")} from ${liveName(name)} where ${last}`;
}

function createTable({ name, columns, order, time, isSnapshot, isLive: live }: SinkTable): string {
  const fields = columns.map((column) => `\`${column.name}\` ${column.type}`);
  // As in the paths of the lake's files.
  if (time !== undefined) fields.push(`day Date alias toDate(toDateTime(${time}, 'UTC'))`);
  const key = ["chain_id", ...order].map((column) => `\`${column}\``).join(", ");
  return [
    `create table if not exists ${name} (${fields.join(", ")})`,
    `engine = ${isSnapshot ? `ReplacingMergeTree(${versionColumn})` : "MergeTree"}`,
    live ? `partition by ${liveVersion}` : "",
    live || time === undefined ? "" : `partition by toYYYYMM(toDateTime(${time}, 'UTC'))`,
    `order by (${key})`,
    isSnapshot || live ? "" : `settings ${window}`,
  ].join(" ");
}

/** Creates the tables that are missing. Throws a StartError if one exists and differs. */
export async function prepareTables(clickHouse: ClickHouse, tables: SinkTable[]): Promise<void> {
  const target = (folder: string) => tables.filter(({ name }) => name === folder);
  const views = [
    ...liveEvents.flatMap((table) => target(table.folder).map((each) => createLiveView(each, table))),
    ...followedTables.flatMap((table) =>
      target(table.folder).map((each) => createLiveSnapshotView(each, table)),
    ),
  ];
  const isLive = tables.some((table) => table.isLive);
  const ofLive = isLive ? [createLiveLog, createLiveHorizon, ...views] : [];
  for (const sql of [createLog, ...tables.map(createTable), createHorizon, ...ofLive])
    await clickHouse.run(sql);
  const existing = await clickHouse.rows<{ table: string; name: string; type: string }>(
    "select table, name, type from system.columns where database = currentDatabase() and default_kind <> 'ALIAS'",
  );
  const engines = await clickHouse.rows<{ name: string; engine: string; definition: string }>(
    "select name, engine, create_table_query as definition from system.tables where database = currentDatabase()",
  );
  const advice = "drop the table, or name an empty database";
  for (const { name, columns, isSnapshot, isLive: live } of tables) {
    const types = new Map(
      existing.filter(({ table }) => table === name).map((column) => [column.name, column.type]),
    );
    const other = columns.find((column) => types.get(column.name) !== column.type);
    if (other !== undefined || types.size !== columns.length) {
      const what =
        other === undefined
          ? "has columns that are not the lake's"
          : `has ${types.has(other.name) ? `${types.get(other.name)} as the type of` : "no column"} ${other.name}, which has to be ${other.type}`;
      throw new StartError(`the table ${name} of ${clickHouse.name} ${what}: ${advice}`);
    }
    const table = engines.find((candidate) => candidate.name === name);
    const isSuitable = isSnapshot
      ? table?.engine.includes("ReplacingMergeTree")
      : table?.definition.includes("deduplication_window") ||
        /^(Replicated|Shared)/.test(table?.engine ?? "");
    if (!live && !isSuitable) {
      throw new StartError(
        `the table ${name} of ${clickHouse.name} is a ${table?.engine} that would keep rows twice: ${advice}`,
      );
    }
  }
}

/** Returns SQL for Postgres that selects a range's rows of an event table; undefined while they aren't complete. */
export function selectRange(
  target: SinkTable,
  table: EventTable,
  schema: string,
  range: { chainId: number; since: number; until: number },
): string | undefined {
  const start = range.since - (range.since % table.step);
  const end = range.until - (range.until % table.step);
  if (start === end) return undefined;
  return selectRows(target, table, schema, { chainId: range.chainId, start, end });
}

/** Returns SQL for Postgres that selects the rows of some seconds of an event table. `constants` are columns that it lacks. */
export function selectRows(
  target: SinkTable,
  { rowsOfDay }: EventTable,
  schema: string,
  seconds: DayOfChain,
  constants: Record<string, number> = {},
): string {
  // In the same order each time: an insert that is repeated must have the same rows.
  const sorted = target.order.map((column) => statement`r.${column}`).join(", ");
  return `select ${selectColumns(target, constants)} ${rowsOfDay(schema, seconds)} order by ${sorted}`;
}

/** Returns SQL for Postgres that selects the columns of rows `r`. `constants` are columns that they lack. */
export const selectColumns = ({ columns }: SinkTable, constants: Record<string, number> = {}): string =>
  columns.map(({ name, sql }) => (name in constants ? String(constants[name]) : sql)).join(", ");
