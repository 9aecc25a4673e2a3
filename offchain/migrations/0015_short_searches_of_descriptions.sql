-- Pairs of Chinese, Japanese or Korean characters, emoji and other signs in the description too: two of those are a word. Single ones
-- would make most matches of a short name matches of a description.
CREATE OR REPLACE FUNCTION "offchain"."signs"("value" text) RETURNS text[]
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	AS $$ DECLARE
		"names" CONSTANT text := split_part("value", U&'\0002', 1);
		"description" CONSTANT text := split_part("value", U&'\0002', 2);
		"found" text[] := '{}';
	BEGIN
		IF octet_length("names") <> length("names") THEN
			"found" := (
				SELECT coalesce(array_agg("a") FILTER (WHERE "a_is_sign"), '{}')
					|| coalesce(array_agg("a" || "b") FILTER (WHERE "b" IS NOT NULL AND ("a_is_sign" OR "b_is_sign")), '{}')
				FROM (SELECT string_to_array("names", NULL) AS "all") AS "characters",
					unnest("all", "all"[2:]) AS "neighbours" ("a", "b"),
					LATERAL (SELECT ascii("a") >= 8192 OR "a" IN ('©', '®'), ascii("b") >= 8192 OR "b" IN ('©', '®'))
						AS "signs" ("a_is_sign", "b_is_sign"));
		END IF;
		IF octet_length("description") <> length("description") THEN
			"found" := "found" || (
				SELECT coalesce(array_agg(DISTINCT "a" || "b"), '{}')
				FROM (SELECT string_to_array("description", NULL) AS "all") AS "characters",
					unnest("all", "all"[2:]) AS "neighbours" ("a", "b")
				WHERE "b" IS NOT NULL AND ascii("a") >= 8192 AND ascii("b") >= 8192);
		END IF;
		RETURN "found";
	END $$;
--> statement-breakpoint
REINDEX INDEX "offchain"."registration_short_search_index";
