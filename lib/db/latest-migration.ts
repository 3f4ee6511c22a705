/** The newest of prisma/migrations, which are not in every bundle; a test compares the two. */
export const LATEST_MIGRATION = "20261202100000_keep_connected_sites";
