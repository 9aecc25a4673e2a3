-- Each look-up would read what a fast update has not sorted in yet, which takes milliseconds.
DROP INDEX "offchain"."registration_image_index";--> statement-breakpoint
ALTER TABLE "offchain"."image" ADD COLUMN "mentioned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "offchain"."image" ADD COLUMN "uploader" text;--> statement-breakpoint
CREATE INDEX "image_unmentioned_index" ON "offchain"."image" USING btree ("uploaded_at","cid") WHERE not "offchain"."image"."mentioned" and "offchain"."image"."dropped_at" is null;--> statement-breakpoint
CREATE INDEX "image_dropped_index" ON "offchain"."image" USING btree ("cid") WHERE "offchain"."image"."dropped_at" is not null;--> statement-breakpoint
CREATE INDEX "registration_image_index" ON "offchain"."registration" USING gin (offchain.image_cids("image_url")) WITH (fastupdate=false);
--> statement-breakpoint
-- Whether a registration mentions an image is noted with the image, in the transaction of whoever writes the registration.
-- Plans are those of the API's connections, which never read the whole table.
CREATE FUNCTION "offchain"."note_mentions"() RETURNS trigger
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
				SELECT FROM "offchain"."registration" WHERE "offchain"."image_cids"("image_url") @> ARRAY["i"."cid"]);
		END IF;
		RETURN NULL;
	END $$;
--> statement-breakpoint
CREATE TRIGGER "registration_note_mentions" AFTER INSERT OR DELETE OR UPDATE OF "image_url" ON "offchain"."registration"
	FOR EACH ROW EXECUTE FUNCTION "offchain"."note_mentions"();
--> statement-breakpoint
UPDATE "offchain"."image" SET "mentioned" = true
	WHERE "cid" IN (SELECT unnest("offchain"."image_cids"("image_url")) FROM "offchain"."registration");
