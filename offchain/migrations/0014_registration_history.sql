CREATE TABLE "offchain"."registration_history" (
	"registration_id" integer NOT NULL,
	"replaced_at" timestamp with time zone DEFAULT now() NOT NULL,
	"description" text,
	"image_url" text,
	"twitter_url" text,
	"telegram_url" text,
	"website_url" text,
	"verified" boolean NOT NULL,
	CONSTRAINT "registration_history_registration_id_replaced_at_pk" PRIMARY KEY("registration_id","replaced_at")
);
