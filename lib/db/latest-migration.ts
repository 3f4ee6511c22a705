/** The newest of prisma/migrations, which are not in every bundle; a test compares the two. */
export const LATEST_MIGRATION = "20261204100000_accepted_fields";
