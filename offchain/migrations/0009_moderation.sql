CREATE TABLE "offchain"."hidden_registration" (
	"id" integer PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"mint" text NOT NULL,
	"name" text NOT NULL,
	"symbol" text NOT NULL,
	"creator" text NOT NULL,
	"burn_percent" integer NOT NULL,
	"description" text,
	"image_url" text,
	"twitter_url" text,
	"telegram_url" text,
	"website_url" text,
	"launchpad_address" text,
	"verified" boolean DEFAULT false NOT NULL,
	"registered_at" timestamp with time zone DEFAULT now() NOT NULL,
	"registered_by" text,
	"signature" text,
	"issued_at" bigint,
	"version" bigint DEFAULT 0 NOT NULL,
	"search" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "offchain"."hidden_token" (
	"chain_id" integer NOT NULL,
	"mint" text NOT NULL,
	"reason" text NOT NULL,
	"hidden_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hidden_token_chain_id_mint_pk" PRIMARY KEY("chain_id","mint")
);
--> statement-breakpoint
ALTER TABLE "offchain"."registry" ADD COLUMN "moderated_version" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "hidden_registration_mint_index" ON "offchain"."hidden_registration" USING btree ("chain_id","mint");--> statement-breakpoint
CREATE INDEX "hidden_registration_version_index" ON "offchain"."hidden_registration" USING btree ("version");--> statement-breakpoint
CREATE INDEX "hidden_registration_image_index" ON "offchain"."hidden_registration" USING gin (offchain.image_cids("image_url")) WITH (fastupdate=false);--> statement-breakpoint
-- As in 0003, but the registration of a hidden token mentions its image too, so that it is there when the token is shown again.
CREATE OR REPLACE FUNCTION "offchain"."note_mentions"() RETURNS trigger
	LANGUAGE plpgsql
	SET enable_seqscan = off
	AS $$ BEGIN
		IF TG_OP <> 'DELETE' THEN
			UPDATE "offchain"."image" SET "mentioned" = true, "uploader" = NULL
			WHERE "cid" = ANY ("offchain"."image_cids"(NEW."image_url")) AND NOT "mentioned";
		END IF;
		IF TG_OP <> 'INSERT' THEN
			UPDATE "offchain"."image" "i" SET "mentioned" = false
			WHERE "cid" = ANY ("offchain"."image_cids"(OLD."image_url")) AND "mentioned" AND NOT EXISTS (
				SELECT FROM "offchain"."registration" WHERE "offchain"."image_cids"("image_url") @> ARRAY["i"."cid"])
			AND NOT EXISTS (
				SELECT FROM "offchain"."hidden_registration" WHERE "offchain"."image_cids"("image_url") @> ARRAY["i"."cid"]);
		END IF;
		RETURN NULL;
	END $$;
