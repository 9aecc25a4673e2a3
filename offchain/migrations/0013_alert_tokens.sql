-- Tokens are valid for a day, and those so far don't say for which chain they were signed.
DELETE FROM "offchain"."alert_token";--> statement-breakpoint
ALTER TABLE "offchain"."alert_token" ADD COLUMN "chain_id" integer NOT NULL;--> statement-breakpoint
CREATE INDEX "alert_token_owner_index" ON "offchain"."alert_token" USING btree ("owner","expires_at");
