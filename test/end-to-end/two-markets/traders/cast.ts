import type { Address, Hex } from "viem";
import { type AgentCall, createAgentCalls, deployAgents, executing } from "../../../chain/agent.ts";
import type { LaunchpadChain } from "../../../chain/launchpad-chain.ts";

/** A trade or a change of liquidity, and whose it is. */
export type Deal = [kind: "buy" | "sell" | "add" | "remove", account: Address];

export type TraderCase = {
  what: string;
  /** They are mined in this order, whatever else is mined in between. */
  transactions: { from: Address; to: Address; data: Hex }[];
  /** The deals in the last transaction, in order. */
  deals: Deal[];
};

export type Cast = Awaited<ReturnType<typeof gatherCast>>;

export const burnAddress = "0x000000000000000000000000000000000000dead";
/** A thousand and two thousand tokens, of 500 million. */
export const [one, two] = [10n ** 21n, 2n * 10n ** 21n];
/** Wei per buy, for many more tokens. */
export const spent = 10n ** 13n;

/** The accounts and contracts of the cases. */
export async function gatherCast(chain: LaunchpadChain) {
  const [alice, bob, carol, relayer] = chain.traders.slice(3).map(lower) as [
    ...[Address, Address, Address, Address],
  ];
  const agents = await deployAgents(chain, { from: relayer, count: 5 });
  // Wallet and keeper have tokens of their own, the bot any that are left over, and helper and splitter none but what they trade.
  const [wallet, keeper, bot, helper, splitter] = agents as [Address, Address, Address, Address, Address];
  const calls = createAgentCalls(chain.deployment);
  const by = (agent: Address, list: AgentCall[]) => ({ from: relayer, to: agent, data: executing(list) });

  return {
    chain,
    calls,
    alice,
    bob,
    carol,
    relayer,
    wallet,
    keeper,
    bot,
    helper,
    splitter,
    by,
    launchpad: lower(chain.deployment.launchpad),
    router: lower(chain.deployment.router),
    /** A case of one transaction. */
    case: (what: string, agent: Address, list: AgentCall[], deals: Deal[]): TraderCase => ({
      what,
      transactions: [by(agent, list)],
      deals,
    }),
    /** Lets the agents take the tokens of the three accounts, and the market those of the agents. */
    async approve(token: Address, market: Address): Promise<void> {
      for (const spender of [...agents, market]) {
        const { target, data } = calls.approve(token, spender);
        for (const account of [alice, bob, carol]) await chain.send(account, target, data);
      }
      for (const agent of agents) {
        await chain.send(relayer, agent, executing([calls.approve(token, market)]));
      }
    },
  };
}

export const lower = (address: Address) => address.toLowerCase() as Address;
