import { etagOf } from "../../http/etag.ts";
import { type SharedJson, shareParts } from "../../http/shared-json.ts";
import type { PageRows } from "./page-rows.ts";
import type { AnyTokenPage } from "./token-page.schema.ts";

const comma = Buffer.from(",");

/** The fields of a page besides its tokens. */
type PageInfo = {
  total: number;
  page: number;
  limit: number;
  hasMore: boolean;
  nextCursor: string | null;
};

/** Assembles a page from its serialized rows. Its ETag is derived from their tags. */
export function assemblePage({ begin, rows }: PageRows, place: PageInfo): SharedJson<AnyTokenPage> {
  const start = `{${begin}"tokens":[`;
  const end = `],${JSON.stringify(place).slice(1)}`;
  const parts = rows.flatMap(({ parts }, index) => (index === 0 ? parts : [comma, ...parts]));
  return shareParts(
    [Buffer.from(start), ...parts, Buffer.from(end)],
    etagOf([start, ...rows.map(({ tag }) => tag), end].join("\n")),
  );
}
