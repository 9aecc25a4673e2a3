-- Searches take any white space as a single space, so that a name with two is found by a query with one.
UPDATE "offchain"."registration" SET "search" = regexp_replace("search", '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g')
	WHERE "search" <> regexp_replace("search", '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g');
--> statement-breakpoint
UPDATE "offchain"."hidden_registration" SET "search" = regexp_replace("search", '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g')
	WHERE "search" <> regexp_replace("search", '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g');
