CREATE TABLE "offchain"."alert_firing" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "offchain"."alert_firing_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"subscription" text NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_firing_subscription_id_pk" PRIMARY KEY("subscription","id")
);
--> statement-breakpoint
CREATE TABLE "offchain"."alert_subscription" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"chain_id" integer NOT NULL,
	"rule" jsonb NOT NULL,
	"sealed" text NOT NULL,
	"host" text NOT NULL,
	"client" text NOT NULL,
	"batch" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"digest" text,
	"position" text NOT NULL,
	"is_behind" boolean DEFAULT false NOT NULL,
	"condition" jsonb,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp with time zone,
	"retry_at" timestamp with time zone,
	"recent" jsonb DEFAULT '[]' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revision" bigint NOT NULL,
	CONSTRAINT "alert_subscription_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "offchain"."alert_token" (
	"hash" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"digest" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "alert_token_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "offchain"."alert_work" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"revision" bigint DEFAULT 0 NOT NULL,
	"lease" bigint DEFAULT 0 NOT NULL,
	"lease_until" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	"delivered" text,
	"evaluated" bigint
);
--> statement-breakpoint
ALTER TABLE "offchain"."alert_firing" ADD CONSTRAINT "alert_firing_subscription_alert_subscription_id_fk" FOREIGN KEY ("subscription") REFERENCES "offchain"."alert_subscription"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_firing_at_index" ON "offchain"."alert_firing" USING btree ("at");--> statement-breakpoint
CREATE INDEX "alert_subscription_owner_index" ON "offchain"."alert_subscription" USING btree ("owner","created_at");--> statement-breakpoint
CREATE INDEX "alert_subscription_client_index" ON "offchain"."alert_subscription" USING btree ("client");--> statement-breakpoint
CREATE INDEX "alert_subscription_host_index" ON "offchain"."alert_subscription" USING btree ("host");--> statement-breakpoint
CREATE INDEX "alert_subscription_revision_index" ON "offchain"."alert_subscription" USING btree ("revision");--> statement-breakpoint
CREATE INDEX "alert_token_expiry_index" ON "offchain"."alert_token" USING btree ("expires_at");--> statement-breakpoint
INSERT INTO "offchain"."alert_work" DEFAULT VALUES;
