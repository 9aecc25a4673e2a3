import type { OpenDatabase } from "./database.ts";
import { testSchema } from "./indexer.ts";

export const boards = ["all", "new", "graduating", "listed"] as const;
export const sorts = ["newest", "burn"] as const;

export type ExpectedView = {
  board: (typeof boards)[number];
  sort: (typeof sorts)[number];
  q?: string;
  creator?: string;
};

const onBoard = {
  all: "true",
  new: "not c.graduated and c.progress < 80",
  graduating: "not c.graduated and c.progress >= 80",
  listed: "c.graduated",
};

const inOrder = {
  newest: "t.created_block desc, t.created_log_index desc",
  burn: "t.burn_percent desc, t.created_block desc, t.created_log_index desc",
};

/**
 * The list as plain SQL has it, which reads every table as a whole. `q` has three characters or more, or is the beginning
 * of a mint.
 */
export async function expectedList(database: OpenDatabase, { board, sort, q = "", creator }: ExpectedView) {
  return await database.query(
    `select t.address as mint, t.name, t.symbol, t.creator, t.burn_percent as "burnPercent", r.description, r.verified,
       c.progress, c.graduated, c.pair, t.holder_count as "holderCount"
     from ${testSchema}.token t
     join ${testSchema}.curve c on (c.chain_id, c.token) = (t.chain_id, t.address)
     join offchain.registration r on (r.chain_id, r.mint, r.name, r.symbol, r.creator, r.burn_percent)
       = (t.chain_id, t.address, t.name, t.symbol, t.creator, t.burn_percent)
     where ${onBoard[board]} and ($1::text is null or t.creator = lower($1))
       and (strpos(lower(t.name), lower($2)) > 0 or strpos(lower(t.symbol), lower($2)) > 0
         or strpos(lower(coalesce(r.description, '')), lower($2)) > 0 or starts_with(t.address, lower($2)))
     order by ${inOrder[sort]}`,
    [creator ?? null, q],
  );
}
