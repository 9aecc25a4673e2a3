CREATE SCHEMA IF NOT EXISTS "offchain";
--> statement-breakpoint
CREATE TABLE "offchain"."registration" (
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
	CONSTRAINT "registration_chain_id_mint_pk" PRIMARY KEY("chain_id","mint")
);
--> statement-breakpoint
CREATE INDEX "registration_registered_at_index" ON "offchain"."registration" USING btree ("chain_id","registered_at");