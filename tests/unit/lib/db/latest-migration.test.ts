import { LATEST_MIGRATION } from "@/lib/db/latest-migration";
import { readMigrations } from "@/scripts/migrate";

it("is the newest in prisma/migrations", () => {
  expect(LATEST_MIGRATION).toBe(readMigrations("prisma/migrations").at(-1)?.name);
});
