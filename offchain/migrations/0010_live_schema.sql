CREATE TABLE "offchain"."stream_pause" (
	"schema" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "offchain"."live_schema" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "offchain"."live_schema_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"schema" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
