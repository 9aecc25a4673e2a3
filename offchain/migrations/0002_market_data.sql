CREATE TABLE "offchain"."price_feed" (
	"onchain_schema" text NOT NULL,
	"chain_id" integer NOT NULL,
	"configured" text[] NOT NULL,
	"aggregators" text[] NOT NULL,
	CONSTRAINT "price_feed_onchain_schema_chain_id_configured_pk" PRIMARY KEY("onchain_schema","chain_id","configured")
);
--> statement-breakpoint
CREATE TABLE "offchain"."stream_event" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "offchain"."stream_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"schema" text NOT NULL,
	"chain_id" integer NOT NULL,
	"position" text NOT NULL,
	"kind" text NOT NULL,
	"mint" text NOT NULL,
	"creator" text,
	"fingerprint" text NOT NULL,
	"data" text NOT NULL,
	"removed" boolean DEFAULT false NOT NULL,
	"current" boolean DEFAULT true NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stream_event_schema_id_pk" PRIMARY KEY("schema","id")
);
--> statement-breakpoint
CREATE TABLE "offchain"."stream_state" (
	"schema" text NOT NULL,
	"chain_id" integer NOT NULL,
	"begun" bigint NOT NULL,
	"stamp" text,
	"build" text NOT NULL,
	"trigger" text NOT NULL,
	"latest_block" bigint NOT NULL,
	"compared" text NOT NULL,
	"settled" text NOT NULL,
	"settled_at" bigint NOT NULL,
	CONSTRAINT "stream_state_schema_chain_id_pk" PRIMARY KEY("schema","chain_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "stream_event_current_index" ON "offchain"."stream_event" USING btree ("schema","chain_id","position") WHERE current;--> statement-breakpoint
CREATE INDEX "stream_event_at_index" ON "offchain"."stream_event" USING btree ("at");--> statement-breakpoint
CREATE INDEX "registration_verified_index" ON "offchain"."registration" USING btree ("id") WHERE "offchain"."registration"."verified";--> statement-breakpoint
-- Whoever writes to the registry, the streams of every process hear of it when it is committed.
CREATE FUNCTION "offchain"."notify_stream"() RETURNS trigger
	LANGUAGE plpgsql
	AS $$ BEGIN NOTIFY offchain_stream; RETURN NULL; END $$;
--> statement-breakpoint
CREATE TRIGGER "registry_notify_stream" AFTER UPDATE ON "offchain"."registry"
	FOR EACH STATEMENT EXECUTE FUNCTION "offchain"."notify_stream"();
