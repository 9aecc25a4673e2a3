import { type Address, encodeFunctionData, erc20Abi, maxUint256, numberToHex } from "viem";
import { dexPairAbi } from "../../abis/DexPair.ts";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import type { Transaction } from "../../local/market/actions.ts";
import type { Random } from "../../local/market/random.ts";
import { traderAddresses } from "../../local/market/traders.ts";
import type { MarketToken, MarketView } from "../../local/market/view.ts";
import { type AgentCall, agentCall, createAgentCalls, everything, executing } from "./agent.ts";
import { graduatingAmount } from "./launchpad-chain.ts";

const traders = new Set<Address>(traderAddresses);
const burnAddress: Address = "0x000000000000000000000000000000000000dead";
/** Few amounts, so that many of a transaction's movements have equal ones or sums of each other: 1,000 tokens and more. */
const amounts = [1n, 1n, 2n, 3n].map((thousands) => thousands * 10n ** 21n);
/** Attempts per block, and the probability that each makes a transaction. */
const [attempts, likelihood] = [2, 0.6];

/** Lets agents trade at random: several trades, hops, splits and mistakes in one transaction. What they can't do is left out. */
export function createRandomAgents(deployment: LaunchpadDeployment, agents: Address[], random: Random) {
  const calls = createAgentCalls(deployment);
  const { launchpad, router } = deployment;

  const anyAmount = () =>
    random.chance(0.5) ? random.pick(amounts) : random.pick([everything, { percent: 50 }]);

  function trade(token: MarketToken, agent: Address): AgentCall[] {
    const wei = BigInt(random.integer(1, 40)) * 10n ** 13n;
    const receiver = random.chance(0.7) ? agent : random.pick([...agents, ...traderAddresses.slice(0, 3)]);
    if (random.chance(0.4)) {
      const market = token.graduated ? router : launchpad;
      const sold = token.graduated
        ? calls.sellOnDex(token.address, agent, anyAmount())
        : calls.sell(token.address, anyAmount());
      return [calls.approve(token.address, market), sold];
    }
    if (!token.graduated) {
      return [calls.buy(token.address, random.chance(0.06) ? 2n * graduatingAmount : wei)];
    }
    return random.chance(0.5)
      ? [calls.buyOnDex(token.address, receiver, wei)]
      : [calls.buyExactly(token.address, receiver, random.pick(amounts))];
  }

  function move(token: MarketToken, holders: Address[]): AgentCall[] {
    const receivers: Address[] = [
      ...agents,
      ...agents,
      ...traderAddresses.slice(0, 4),
      launchpad,
      burnAddress,
    ];
    if (token.pair !== undefined) receivers.push(token.pair);
    const to = random.pick(receivers);
    if (holders.length > 0 && random.chance(0.5)) {
      return [calls.pull(token.address, random.pick(holders), to, random.pick([0n, ...amounts]))];
    }
    if (random.chance(0.1)) return [calls.burn(token.address, anyAmount())];
    return [calls.transfer(token.address, to, anyAmount())];
  }

  function callPair(token: MarketToken, agent: Address): AgentCall[] {
    if (token.pair === undefined) return [];
    const out = random.pick([
      [0n, 1_000n],
      [1_000n, 0n],
      [random.pick(amounts) / 2n, 0n],
    ] as [bigint, bigint][]);
    return random.pick([
      [calls.swap(token.pair, out, agent)],
      [
        calls.swap(token.pair, random.pick([out, [out[1], out[0]]]), agent, [
          ...move(token, []),
          calls.transfer(token.address, token.pair, random.pick(amounts)),
        ]),
      ],
      [agentCall(token.pair, dexPairAbi, "sync")],
      [agentCall(token.pair, dexPairAbi, "skim", [random.pick(agents)])],
      [
        calls.approve(token.address, router),
        calls.addLiquidity(token.address, agent, anyAmount(), 10n ** 15n),
      ],
      [
        agentCall(token.pair, dexPairAbi, "transfer", [token.pair, { percent: 30 }]),
        agentCall(token.pair, dexPairAbi, "burn", [random.pick(agents)]),
      ],
    ]);
  }

  function steps(token: MarketToken, agent: Address, holders: Address[], isAsked = false): AgentCall[] {
    return Array.from({ length: random.integer(2, isAsked ? 3 : 7) }, () => {
      const kind = random.fraction();
      if (kind < 0.4) return trade(token, agent);
      if (kind < 0.8) return move(token, holders);
      if (kind < 0.9 || isAsked) return callPair(token, agent);
      const other = random.pick(agents);
      return [calls.ask(other, steps(token, other, holders, true))];
    }).flat();
  }

  function transaction(from: Address, to: Address, data: Transaction["data"]): Transaction {
    const terms = { value: "0x0", gas: numberToHex(6_000_000), gasPrice: numberToHex(10 ** 9) } as const;
    return { from, to, data, ...terms };
  }

  /** Returns the transactions of a block. */
  return ({ tokens }: MarketView): Transaction[] => {
    const all = [...tokens.values()];
    const graduated = all.filter(({ pair }) => pair !== undefined);
    const transactions: Transaction[] = [];
    for (let attempt = 0; attempt < attempts && all.length > 0; attempt++) {
      if (!random.chance(likelihood)) continue;
      const token = random.pick(graduated.length > 0 && random.chance(0.6) ? graduated : all);
      const agent = random.pick(agents);
      const holders = [...token.balances].flatMap(([account, balance]) =>
        balance > 0n && traders.has(account) ? [account] : [],
      );
      const asked = holders.length > 0 ? [random.pick(holders), random.pick(holders)] : [];
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [agent, maxUint256] });
      const approvals = asked
        .filter((holder) => !token.approvals.has(`${holder} ${agent}`))
        .map((holder) => transaction(holder, token.address, data));
      transactions.push(
        ...approvals,
        transaction(random.pick(traderAddresses), agent, executing(steps(token, agent, asked), true)),
      );
    }
    return transactions;
  };
}
