-- What a search looks for: every three characters in a row, and the first two of each field, which begins with U+0001.
-- By position and not by pg_trgm, which passes over signs and emoji and, in a database of locale C, over Chinese.
CREATE FUNCTION "offchain"."trigrams"("value" text) RETURNS text[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	AS $$
		SELECT coalesce(array_agg("a" || "b" || "c") FILTER (WHERE "c" IS NOT NULL), '{}')
			|| coalesce(array_agg("a" || "b") FILTER (WHERE "a" = U&'\0001' AND "b" IS NOT NULL), '{}')
		FROM (SELECT string_to_array("value", NULL) AS "all") AS "characters",
			unnest("all", "all"[2:], "all"[3:]) AS "neighbours" ("a", "b", "c")
	$$;
--> statement-breakpoint
-- The CIDs of uploaded images that a URL mentions.
CREATE FUNCTION "offchain"."image_cids"("url" text) RETURNS text[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	AS $$
		SELECT coalesce(array_agg("found"[1]), '{}')
		FROM regexp_matches(lower("url"), '(baf(?:krei|ybei)[a-z2-7]{52})', 'g') AS "found"
	$$;
--> statement-breakpoint
CREATE UNLOGGED TABLE "offchain"."rate_limit" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "offchain"."registry" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "offchain"."image" (
	"cid" text PRIMARY KEY NOT NULL,
	"mime_type" text NOT NULL,
	"size" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"uploaded_at" timestamp with time zone DEFAULT now() NOT NULL,
	"dropped_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "offchain"."image_pin" (
	"cid" text NOT NULL,
	"provider" text NOT NULL,
	"reference" text,
	"pinned_at" timestamp with time zone,
	CONSTRAINT "image_pin_cid_provider_pk" PRIMARY KEY("cid","provider")
);
--> statement-breakpoint
INSERT INTO "offchain"."registry" DEFAULT VALUES;
--> statement-breakpoint
DROP INDEX "offchain"."registration_registered_at_index";--> statement-breakpoint
ALTER TABLE "offchain"."registration" DROP CONSTRAINT "registration_chain_id_mint_pk";--> statement-breakpoint
ALTER TABLE "offchain"."registration" ADD COLUMN "id" integer PRIMARY KEY NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "offchain"."registration_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "offchain"."registration" ADD COLUMN "signature" text;--> statement-breakpoint
ALTER TABLE "offchain"."registration" ADD COLUMN "issued_at" bigint;--> statement-breakpoint
ALTER TABLE "offchain"."registration" ADD COLUMN "version" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "offchain"."registration" ADD COLUMN "search" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "offchain"."image_pin" ADD CONSTRAINT "image_pin_cid_image_cid_fk" FOREIGN KEY ("cid") REFERENCES "offchain"."image"("cid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "image_uploaded_at_index" ON "offchain"."image" USING btree ("uploaded_at");--> statement-breakpoint
UPDATE "offchain"."registration" SET "search" =
	U&'\0001' || lower("name") || U&'\0001' || lower("symbol") || U&'\0002' || lower(coalesce("description", ''));--> statement-breakpoint
CREATE UNIQUE INDEX "registration_token_index" ON "offchain"."registration" USING btree ("chain_id","mint","creator","name","symbol","burn_percent");--> statement-breakpoint
CREATE INDEX "registration_creator_index" ON "offchain"."registration" USING btree ("chain_id","creator");--> statement-breakpoint
CREATE INDEX "registration_version_index" ON "offchain"."registration" USING btree ("version");--> statement-breakpoint
CREATE INDEX "registration_search_index" ON "offchain"."registration" USING gin (offchain.trigrams("search")) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "registration_image_index" ON "offchain"."registration" USING gin (offchain.image_cids("image_url"));--> statement-breakpoint
-- Each search has this index and no other to use. What statistics say of it could only mislead, and takes seconds to find out.
ALTER INDEX "offchain"."registration_search_index" ALTER COLUMN 1 SET STATISTICS 0;
