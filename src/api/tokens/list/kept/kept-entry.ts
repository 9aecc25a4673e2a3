import type { EntryRow } from "../../entry/entries.query.ts";
import { toLastingEntry, toUsdNow } from "../../entry/token-entry.mapper.ts";

type Amounts = Pick<EntryRow, "price_bnb_x36" | "total_supply_raw" | "liquidity_wei">;

const beyondLatin1 = /[^\u0020-\u00ff]/;

/** An entry as JSON, which is not made anew for a new rate of BNB in USD. */
export class EntryText {
  readonly #lasting: string;
  readonly #amounts: Amounts;
  #rate: string | null;
  #text: string;

  constructor({ bnb_usd_x8, ...row }: EntryRow, baseUrl: string) {
    const { price_bnb_x36, total_supply_raw, liquidity_wei } = row;
    this.#amounts = { price_bnb_x36, total_supply_raw, liquidity_wei };
    this.#lasting = JSON.stringify(toLastingEntry({ ...row, bnb_usd_x8 }, baseUrl));
    this.#rate = bnb_usd_x8;
    this.#text = this.#make();
  }

  /** Bytes in memory, about: a text has one for each character, or two if it has signs beyond Latin-1. */
  get bytes(): number {
    const texts = this.#rate === null ? 1 : 2;
    return texts * this.#text.length * (beyondLatin1.test(this.#text) ? 2 : 1);
  }

  /** Whether the entry has values in USD, to date and now. */
  get hasRate(): boolean {
    return this.#rate !== null;
  }

  /** As of the rate that was asked for last. */
  get text(): string {
    return this.#text;
  }

  /** The entry with what it is worth at a rate. */
  at(rate: string): string {
    if (rate !== this.#rate) {
      this.#rate = rate;
      this.#text = this.#make();
    }
    return this.#text;
  }

  #make(): string {
    if (this.#rate === null) return this.#lasting;
    const usd = JSON.stringify(toUsdNow({ ...this.#amounts, bnb_usd_x8: this.#rate }));
    return `${this.#lasting.slice(0, -1)},${usd.slice(1)}`;
  }
}
