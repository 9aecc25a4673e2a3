-- What a search of one or two characters looks for anywhere in name or symbol: each character from U+2000 on (Chinese, Japanese,
-- Korean, emoji and other signs), © and ®, and each pair with one of them. An index of its own: most rows have nothing in it, so it is
-- made in seconds, where that of all trigrams would take minutes.
CREATE FUNCTION "offchain"."signs"("value" text) RETURNS text[]
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	AS $$ DECLARE
		"names" CONSTANT text := split_part("value", U&'\0002', 1);
	BEGIN
		IF octet_length("names") = length("names") THEN
			RETURN '{}';
		END IF;
		RETURN (
			SELECT coalesce(array_agg("a") FILTER (WHERE "a_is_sign"), '{}')
				|| coalesce(array_agg("a" || "b") FILTER (WHERE "b" IS NOT NULL AND ("a_is_sign" OR "b_is_sign")), '{}')
			FROM (SELECT string_to_array("names", NULL) AS "all") AS "characters",
				unnest("all", "all"[2:]) AS "neighbours" ("a", "b"),
				LATERAL (SELECT ascii("a") >= 8192 OR "a" IN ('©', '®'), ascii("b") >= 8192 OR "b" IN ('©', '®'))
					AS "signs" ("a_is_sign", "b_is_sign"));
	END $$;
--> statement-breakpoint
-- Variation selectors, which say how an emoji is drawn, are no longer part of the text that is searched.
UPDATE "offchain"."registration" SET "search" = translate("search", U&'\FE0E\FE0F', '')
	WHERE strpos("search", U&'\FE0E') > 0 OR strpos("search", U&'\FE0F') > 0;
--> statement-breakpoint
CREATE INDEX "registration_short_search_index" ON "offchain"."registration" USING gin (offchain.signs("search")) WITH (fastupdate=false);--> statement-breakpoint
-- As for the index of trigrams.
ALTER INDEX "offchain"."registration_short_search_index" ALTER COLUMN 1 SET STATISTICS 0;
