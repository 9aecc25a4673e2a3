const chainId = 56;
/** The token that 20,000 accounts hold. */
const mint = `0x${"0".repeat(40)}`;
const at = { block: 19_990, timestamp: 19_990 };
const chains = [
  { chainId: 56, block: 20_000, timestamp: 20_000, safe: at },
  { chainId: 97, block: 20_000, timestamp: 20_000, safe: at },
];

/** The account that holds and has traded 20,000 tokens. */
const someone = { chainId, account: "someone", dexFee: 2_500n };
const creator = { chainId, account: `0x${"c".repeat(40)}` };
const pages = (after: object) =>
  [undefined, after].flatMap((place) => [2, 101].map((limit) => ({ after: place, limit })));

const final = { ...at, now: 20_000 };
const trades = { chainId, mint, from: 0, to: at.timestamp, before: "000000019991-000000", limit: 1_000 };

const range = { chainId, since: "000000019990", sinceSeconds: 19_990, limit: 1_000 };
const everyEvent = {
  chainId: undefined,
  mints: [],
  creators: [],
  kinds: [],
  traders: [],
  side: undefined,
  venue: undefined,
  minWei: undefined,
};
const streamParts = [
  everyEvent,
  { ...everyEvent, chainId, mints: [mint], creators: [mint], kinds: ["trade", "registered"] },
  { ...everyEvent, chainId, traders: [mint], side: "buy", venue: "dex", minWei: 1n },
].map((filter) => [
  {
    after: { event: 19_000, version: 19_000, registration: 5 },
    upTo: { event: 20_000, version: 20_000, registration: undefined },
    filter,
    limit: 500,
  },
]);

/** A time with few trades in the 24 hours before it. */
const dayLater = chains.map((chain) => ({ ...chain, timestamp: 86_400 + 19_900 }));

/** The markets and the creation of that token. */
const held = {
  launchpad: "0x",
  launchSupplyRaw: 1n,
  createdBlock: 5n,
  createdAt: 5n,
  openedBlock: 5n,
  pair: mint,
  graduatedId: "000000010000-000000",
};

const boards = ["realised", "volume", "trades", "created", "graduated"];
const measured = { chain_id: chainId, block: "20000", settled: 19_970, build: "" };

/** Small and large arguments for every exported function of the *.query.ts files that queries the database, after `fillTables`. */
export const queryCalls: Record<string, unknown[][]> = {
  readCurve: [[chainId, mint]],
  readCurveProgress: [
    [chainId, [mint]],
    [chainId, Array(100).fill(mint)],
  ],
  readQuoteState: [[{ chainId, mint, account: undefined }], [{ chainId, mint, account: mint }]],
  readRepairs: [[]],
  readBnbUsd: [[chainId]],
  readEntries: [[[1]], [Array.from({ length: 100 }, (_, index) => index)]],
  readEntry: [[chainId, mint]],
  countTokensWithSymbol: [[chainId, "OTTER"]],
  readLookAlikes: [[chainId, mint]],
  readNewEntryFacts: [[chainId, mint]],
  readStats: [[chainId]],
  readDays: [
    [chainId, 1],
    [chainId, 31],
  ],
  readTokenSupply: [[chainId, mint]],
  readHolders: [
    [{ chainId, mint, offset: 0, limit: 21 }],
    [{ chainId, mint, offset: 9_900, limit: 101 }],
    [{ chainId, mint, after: { first: "5", second: creator.account }, offset: 0, limit: 101 }],
  ],
  readHeldToken: [[{ chainId, mint }]],
  findLastMovement: [{ block: 15_000 }, { time: 15_000 }].map((moment) => [{ chainId, mint, at: moment }]),
  readBalancesAt: [5_000, 15_000, 86_400 + 60_000].flatMap((time) =>
    [21, 200_001].map((limit) => [
      { chainId, mint, held, at: { block: time, time }, now: 200_000, offset: 0, limit },
    ]),
  ),
  readHolderDays: [
    [{ chainId, mint, firstDay: 0, lastDay: 4, graduatedDay: null, maxBalances: 500_000 }],
    [{ chainId, mint, firstDay: 3, lastDay: 4, graduatedDay: 2, maxBalances: 5 }],
  ],
  readIndexState: [[]],
  readIndexStatePrepared: [[]],
  readWriterState: [[]],
  readIndexedToken: [[chainId, mint]],
  readTableStatistics: [["onchain"]],
  readListedTokensSince: [
    [{ registry: 19_990, before: chains, now: chains, volatileIds: [] }],
    [
      {
        registry: 19_990,
        before: chains,
        now: chains,
        volatileIds: Array.from({ length: 500 }, (_, id) => id),
      },
    ],
  ],
  readChangedCreators: [
    [{ before: chains, volatile: [], now: chains }],
    [
      {
        before: chains,
        volatile: Array.from({ length: 100 }, () => ({ chain_id: chainId, creator: mint })),
        now: chains,
      },
    ],
  ],
  readChainFacts: [[chains]],
  findChangedActivity: [
    [{ registry: undefined, before: [], volatileIds: [], now: dayLater }],
    // The time has moved forwards or back, by a little or a lot.
    ...[1, 899, -1, 2_000, -100].map((seconds) => [
      {
        registry: 19_990,
        before: dayLater,
        volatileIds: [1, 2, 3],
        now: dayLater.map((chain) => ({ ...chain, timestamp: chain.timestamp + seconds })),
      },
    ]),
  ],
  readDayActivity: [[]],
  readListedActivity: [[Int32Array.of(1, 2, 3)], [Int32Array.from({ length: 500 }, (_, id) => id)]],
  findMatches: ["otter", "a", "ab", "0x", "0x1234", "100%_", "小狗狗", "小狗", "🚀"]
    .map((query) => [{ kind: "text", chainId, query }] as unknown[])
    .concat([[{ kind: "creator", chainId, creator: mint }], [{ kind: "mint", chainId, mint }]]),
  readListedMints: [
    [chainId, [mint], []],
    [chainId, Array.from({ length: 100 }, (_, index) => `${mint.slice(0, 40)}${10 + (index % 90)}`), []],
    [
      chainId,
      [mint, "0x1234"],
      [
        { kind: "text", chainId, query: "otter" },
        { kind: "creator", chainId, creator: mint },
      ],
    ],
  ],
  readCompactTokens: [[[1]], [Array.from({ length: 1_000 }, (_, id) => id)]],
  findMatchesSince: [
    [[{ kind: "text", chainId, query: "otter" }], 19_990],
    [[{ kind: "creator", chainId, creator: mint }], 19_990],
    [[{ kind: "mint", chainId, mint }], 19_990],
    [
      [
        { kind: "text", chainId, query: "otter" },
        { kind: "text", chainId, query: "熊猫" },
      ],
      19_990,
    ],
  ],
  readEarlierRegistrations: [[1]],
  readMetadata: [[chainId, mint]],
  refuseHidden: [[chainId, mint]],
  readHiddenImageReason: [[`bafkrei${"a".repeat(52)}`]],
  readModeratedVersion: [[]],
  readAccountDays: [1, 200_000].map((limit) => [{ chainId, account: "someone", since: 0, limit }]),
  readTraders: (["realised", "unrealised", "volume", "bought", "sold"] as const).map((sort) => [
    { chainId, mint, sort, limit: 100, dexFee: 2_500n },
  ]),
  readTrades: pages({ first: "15000", second: "000000015000-000000" }).flatMap((page) => [
    [{ chainId, mint }, page],
    [{ chainId, trader: "someone" }, page],
    [{ chainId }, page],
  ]),
  readNamedTrades: pages({ first: "15000", second: "000000015000-000000" }).flatMap((page) => [
    [{ chainId, trader: "someone" }, page],
    [{ chainId, mint }, page],
    [{ chainId, mint, trader: "someone" }, page],
    [{ chainId }, page],
  ]),
  readCandleBounds: [[{ chainId, mint, interval: "1m" }], [{ chainId, mint, interval: "1w" }]],
  readCandles: [
    [{ chainId, mint, interval: "1m", first: 0n, last: 90_000n }],
    [{ chainId, mint, interval: "1m", first: 1_100_000n, last: 1_190_000n }],
    [{ chainId, mint, interval: "15m", first: 0n, last: 1_199_700n }],
    [{ chainId, mint, interval: "30m", first: 900_000n, last: 909_000n }],
    [{ chainId, mint, interval: "1w", first: 345_600n, last: 950_400n }],
  ],
  readAccount: [[someone], [{ chainId, account: mint, dexFee: null }]],
  readHoldings: pages({ first: "1", second: mint }).flatMap((page) => [
    [{ ...someone, ...page }],
    [{ ...someone, mint, ...page }],
  ]),
  readPositions: pages({ first: "15000", second: mint }).flatMap((page) => [
    [{ ...someone, ...page }],
    [{ ...someone, mint, ...page }],
  ]),
  readCreatedTokens: pages({ first: "15000", second: "000000015000-000000" }).flatMap((page) => [
    [{ ...creator, ...page }],
    [{ ...creator, mint, ...page }],
  ]),
  readBoardSize: [[{ chainId, by: "realised" }]],
  readLeaders: boards.flatMap((by) => [
    ...[0, 4_900].map((offset) => [{ chainId, by, offset, limit: 100 }]),
    [{ chainId, by, after: { first: "5", second: creator.account }, offset: 0, limit: 101 }],
  ]),
  readLeadersSince: boards.map((by) => [{ chainId, by, since: 19_000, limit: 5_000 }]),
  readMeasuredChains: [[]],
  readChangedTokens: [{ at: 19_980, settled: 19_970 }, { at: 20_020, settled: 19_970 }, null].map(
    (before) => [{ ...measured, now: 20_000, before }],
  ),
  measureTokens: [[{ ...measured, now: 100_000 }, [mint]]],
  saveMeasured: [[{ ...measured, now: 20_000 }]],
  readFinalBlock: [[chainId]],
  readFinalToken: [[chainId, mint, final]],
  readFinalPair: [[chainId, mint, final]],
  readTradesBetween: [
    [{ chainId, from: "000000000000-000000", before: "000000010000-000000", limit: 1_000 }],
  ],
  readLiquidityBetween: [
    [{ chainId, from: "000000000000-000000", before: "000000010000-000000", limit: 1_000 }],
  ],
  readLiquidity: pages({ first: "15000", second: "000000015000-000000" }).map((page) => [
    { chainId, mint, ...page },
  ]),
  readTransfers: [
    { mint },
    { account: "someone" },
    { mint, account: "someone", since: 5, before: 15_000 },
  ].flatMap((filter) =>
    pages({ first: "15000", second: "000000015000-000000" }).map((page) => [{ chainId, ...filter }, page]),
  ),
  readTradedTokens: [[{ chainId, final, windowSeconds: 5_000 }, 100_000]],
  readTickers: [
    [{ chainId, final, windowSeconds: 86_400 }, [mint]],
    [{ chainId, final, windowSeconds: 5_000 }, Array.from({ length: 1_000 }, (_, token) => `0x${token}`)],
  ],
  readFinalBnbUsd: [[chainId, final]],
  readHistoricalTrades: [[trades], [{ ...trades, side: "sell", from: 5 }]],
  isLaunchedBy: [[chainId, mint, 5]],
  readVerifiedTokens: [[chains, { after: 5, limit: 500 }]],
  readGraduatedTokens: [
    [chains[0], { after: undefined, limit: 500 }],
    [chains[0], { after: { graduatedAt: "100", mint }, limit: 500 }],
  ],
  readOtherTokens: [[chains, { after: 5, limit: 500 }]],
  readTokenValues: [
    [[{ chainId, mint }]],
    [Array.from({ length: 500 }, (_, token) => ({ chainId, mint: `0x${token}` }))],
  ],
  readBalances: [[{ chainId, mint, accounts: ["someone", "another"] }]],
  readVolumesAt: [[{ chainId, mint, id: "000000019990-000000", windows: [60, 3_600] }]],
  readConnections: [[]],
  readOldestEvent: [[{ event: 1, version: 1, registration: undefined }]],
  readJournalPlace: [[19_000, { event: 19_500, version: 1, registration: undefined }]],
  readContinuation: [["another", 19_000]],
  isJournalPaused: [[]],
  readStreamIndex: [[]],
  readNewTokens: [[range]],
  readNewTrades: [[range]],
  readNewLiquidity: [[range]],
  readNewTransfers: [[range]],
  readNewGraduations: [[range]],
  readLostEvents: [[{ chainId, since: range.since }]],
  readStreamEvents: streamParts,
  readStreamRegistrations: streamParts,
  readStreamEventAt: streamParts.map(([part]) => [part, 500]),
  readStreamEnd: [[]],
  findStreamPosition: [[{ event: 19_000, version: 19_000, registration: undefined }]],
};
