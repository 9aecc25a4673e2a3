import { hash } from "node:crypto";
import type { EntryRow } from "../../entry/entries.query.ts";
import { toEntryWithoutUsd, toUsdFields } from "../../entry/token-entry.mapper.ts";
import type { PageRow } from "../page-rows.ts";

type Amounts = Pick<EntryRow, "price_bnb_x36" | "total_supply_raw" | "liquidity_wei">;

/**
 * An entry as the bytes of its JSON. It is serialized and hashed once, since pages are assembled from it much more often. A new
 * BNB/USD rate replaces only the part that depends on it.
 */
export class SerializedEntry {
  /** Without the USD values at the current rate, and without the closing brace if they follow. */
  readonly #lasting: Buffer;
  readonly #tag: string;
  readonly #amounts: Amounts;
  #rate: string | null;
  #row: PageRow;

  constructor({ bnb_usd_x8, ...row }: EntryRow, baseUrl: string) {
    const { price_bnb_x36, total_supply_raw, liquidity_wei } = row;
    this.#amounts = { price_bnb_x36, total_supply_raw, liquidity_wei };
    const text = JSON.stringify(toEntryWithoutUsd({ ...row, bnb_usd_x8 }, baseUrl));
    this.#lasting = toBytes(bnb_usd_x8 === null ? text : text.slice(0, -1));
    this.#tag = hash("sha1", this.#lasting, "base64url");
    this.#rate = bnb_usd_x8;
    this.#row = this.#make();
  }

  /** Approximate bytes in memory. */
  get bytes(): number {
    return this.#row.parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** Whether the entry has USD values. */
  get hasRate(): boolean {
    return this.#rate !== null;
  }

  /** The entry at the last rate passed to {@link at}. */
  get row(): PageRow {
    return this.#row;
  }

  /** Returns the entry with its USD values at a rate. */
  at(rate: string): PageRow {
    if (rate !== this.#rate) {
      this.#rate = rate;
      this.#row = this.#make();
    }
    return this.#row;
  }

  #make(): PageRow {
    if (this.#rate === null) return { parts: [this.#lasting], tag: this.#tag };
    const usd = JSON.stringify(toUsdFields({ ...this.#amounts, bnb_usd_x8: this.#rate }));
    return { parts: [this.#lasting, toBytes(`,${usd.slice(1)}`)], tag: `${this.#tag}${this.#rate}` };
  }
}

/** Allocates memory of its own: small buffers of `Buffer.from` share a pool, which stays in memory as long as any of them. */
function toBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
