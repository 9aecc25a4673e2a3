import { analystReads } from "../../offchain/read-grants.ts";
import { literal, statement } from "../../offchain/statement.ts";
import { type FinalChain, finalRows } from "../../runtime/ponder/final-rows.ts";

/** The public columns of a registration: neither its sender nor its signature. */
export const publicColumns = analystReads.columns.registration ?? [];

/** Returns SQL for the registrations `r` of final tokens: after a reorg another token may be at the address. */
export function registrationsOf(schema: string, chain: FinalChain, columns: string): string {
  const tokens = finalRows({
    ...{ schema, table: "token", key: ["chain_id", "address"], chain },
    columns: statement`r.chain_id, r.address, r.name, r.symbol, r.creator, r.burn_percent`,
  });
  return [
    `select ${columns}`,
    statement`from offchain.registration r where r.chain_id = ${literal(String(chain.chainId))} and exists (select from`,
    `(${tokens}) as t`,
    statement`where t.address = r.mint and t.creator = r.creator and t.name = r.name and t.symbol = r.symbol
      and t.burn_percent = r.burn_percent)`,
  ].join(" ");
}
