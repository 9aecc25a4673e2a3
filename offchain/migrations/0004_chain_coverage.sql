CREATE TABLE "offchain"."chain_coverage" (
	"chain_id" integer NOT NULL,
	"source" text NOT NULL,
	"version" integer NOT NULL,
	"blocks" "int8multirange" NOT NULL,
	CONSTRAINT "chain_coverage_chain_id_source_pk" PRIMARY KEY("chain_id","source")
);
