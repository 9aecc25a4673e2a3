import type { KeysetPosition } from "../http/cursor.ts";
import { isoTime } from "../market/time.ts";
import type { Transfer } from "./transfer.schema.ts";
import type { TransferRow } from "./transfers.query.ts";

/** Maps a transfer to its response. */
export function toTransfer(row: TransferRow): Transfer {
  return {
    id: row.id,
    mint: row.token,
    chainId: row.chainId,
    name: row.name,
    symbol: row.symbol,
    from: row.from,
    to: row.to,
    amountRaw: String(row.amountRaw),
    block: Number(row.block),
    timestamp: isoTime(row.timestamp),
    tx: row.tx,
    logIndex: row.logIndex,
    ...(row.isHidden ? { hidden: true as const } : {}),
  };
}

/** The keyset position of a transfer in the order of transfers, newest first. */
export function transferPosition({ timestamp, id }: TransferRow): KeysetPosition {
  return { first: String(timestamp), second: id };
}
