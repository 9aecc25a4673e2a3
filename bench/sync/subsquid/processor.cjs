// Inserts the events that Ponder indexes, read over JSON-RPC by Subsquid's processor, and does nothing else with them.
// Its only argument is JSON: see ../run-subsquid.ts. It prints a line of JSON when it starts and after each batch of blocks.
const { EvmBatchProcessor } = require("@subsquid/evm-processor");
const { Client } = require("pg");

const { rpcUrl, databaseUrl, requestsPerSecond, tokenFactory, launchpad, range, topics } = JSON.parse(
  process.argv[2],
);
const client = new Client({ connectionString: databaseUrl });
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const tokens = new Set();
const pairs = new Set();
let rows = 0;

/** Whether a log belongs to the launchpad. Also records new tokens and pairs. */
function isWanted({ address, topics: [topic, first = "", second = ""] }) {
  if (address === tokenFactory && topic === topics.tokenCreated) tokens.add(`0x${first.slice(26)}`);
  if (address === launchpad && topic === topics.graduated) pairs.add(`0x${second.slice(26)}`);
  if (topic === topics.transfer) return tokens.has(address);
  if (topic === topics.sync || topic === topics.swap) return pairs.has(address);
  return true;
}

async function insert(blocks) {
  const logs = blocks.flatMap((block) => block.logs).filter(isWanted);
  if (logs.length === 0) return;
  const columns = [
    (log) => log.block.height,
    (log) => log.logIndex,
    (log) => log.block.timestamp,
    (log) => log.transactionHash,
    (log) => (log.topics[0] === topics.swap ? log.transaction.from : null),
    (log) => log.address,
    (log) => log.topics.join(","),
    (log) => log.data,
  ];
  await client.query(
    `insert into event select * from
      unnest($1::int8[], $2::int4[], $3::int8[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])`,
    columns.map((column) => logs.map(column)),
  );
  rows += logs.length;
}

/** The processor's database interface, for final blocks only. */
const database = {
  async connect() {
    await client.connect();
    await client.query(`create table event (block_number int8, log_index int4, timestamp int8, transaction_hash text,
      sender text, address text, topics text, data text, primary key (block_number, log_index))`);
    return { height: -1, hash: "0x" };
  },
  async transact({ nextHead }, write) {
    await client.query("begin");
    await write();
    await client.query("commit");
    print({ height: nextHead.height, rows });
    // The open connection would keep the program running after the end of the range.
    if (nextHead.height === range.to) await client.end();
  },
};

const { tokenCreated, curveOpened, trade, graduated, transfer, sync, swap } = topics;
print({ height: range.from - 1, rows });
new EvmBatchProcessor()
  .setRpcEndpoint({ url: rpcUrl, ...(requestsPerSecond && { rateLimit: requestsPerSecond }) })
  .setFinalityConfirmation(30)
  .setBlockRange(range)
  .setFields({ log: { topics: true, data: true, transactionHash: true }, transaction: { from: true } })
  .addLog({ address: [tokenFactory], topic0: [tokenCreated] })
  .addLog({ address: [launchpad], topic0: [curveOpened, trade, graduated] })
  .addLog({ topic0: [transfer, sync] })
  .addLog({ topic0: [swap], transaction: true })
  .run(database, ({ blocks }) => insert(blocks));
