import { etagOf } from "../../http/etag.ts";
import { type SharedJson, shareParts } from "../../http/shared-json.ts";
import type { PageRows } from "./page-rows.ts";
import type { AnyTokenPage } from "./token-page.schema.ts";

const comma = Buffer.from(",");

/** What a page says besides its tokens. */
type Place = { total: number; page: number; limit: number; hasMore: boolean };

/** Puts a page together, without reading its rows again. Its ETag comes from their tags. */
export function pageOf({ begin, rows }: PageRows, place: Place): SharedJson<AnyTokenPage> {
  const start = `{${begin}"tokens":[`;
  const end = `],${JSON.stringify(place).slice(1)}`;
  const parts = rows.flatMap(({ parts }, index) => (index === 0 ? parts : [comma, ...parts]));
  return shareParts(
    [Buffer.from(start), ...parts, Buffer.from(end)],
    etagOf([start, ...rows.map(({ tag }) => tag), end].join("\n")),
  );
}
