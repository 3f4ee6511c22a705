/** The newest of prisma/migrations, which are not in every bundle; a test compares the two. */
export const LATEST_MIGRATION = "20261127150000_item_category";
