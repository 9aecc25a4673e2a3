CREATE TABLE "offchain"."token_activity" (
	"schema" text NOT NULL,
	"chain_id" integer NOT NULL,
	"token" text NOT NULL,
	"volume_24h_wei" numeric(78, 0) NOT NULL,
	"trades_24h" integer NOT NULL,
	"traders_24h" integer NOT NULL,
	"last_trade_at" bigint NOT NULL,
	CONSTRAINT "token_activity_schema_chain_id_token_pk" PRIMARY KEY("schema","chain_id","token")
);
--> statement-breakpoint
CREATE TABLE "offchain"."token_activity_state" (
	"schema" text NOT NULL,
	"chain_id" integer NOT NULL,
	"measured_at" bigint NOT NULL,
	"measured_block" bigint NOT NULL,
	"settled_at" bigint NOT NULL,
	"build" text NOT NULL,
	CONSTRAINT "token_activity_state_schema_chain_id_pk" PRIMARY KEY("schema","chain_id")
);
--> statement-breakpoint
CREATE INDEX "token_activity_volume_index" ON "offchain"."token_activity" USING btree ("schema","chain_id","volume_24h_wei","token");--> statement-breakpoint
CREATE INDEX "token_activity_trades_index" ON "offchain"."token_activity" USING btree ("schema","chain_id","trades_24h","token");--> statement-breakpoint
CREATE INDEX "token_activity_last_trade_index" ON "offchain"."token_activity" USING btree ("schema","chain_id","last_trade_at","token");--> statement-breakpoint
CREATE INDEX "token_activity_traders_index" ON "offchain"."token_activity" USING btree ("schema","chain_id","traders_24h","token");