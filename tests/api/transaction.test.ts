import pg from "pg";
import { auditIn } from "@/lib/audit/audit";
import { transaction } from "@/lib/db/transaction";
import { databaseUrl, query, waitForLock } from "@/tests/support/db";
import { newUser } from "@/tests/support/factories";

const rename = (name: string) => `UPDATE users SET display_name = '${name}' WHERE id = $1`;
const nameOf = async (id: string) =>
  (await query<{ name: string | null }>("SELECT display_name AS name FROM users WHERE id = $1", [id]))[0]?.name;

it("does all of its work or none", async () => {
  const { id } = await newUser();
  const failed = transaction(async (db) => {
    await db.user.update({ where: { id }, data: { displayName: "Half done" } });
    throw new Error("The second half fails.");
  });
  await expect(failed).rejects.toThrow("The second half fails.");
  expect(await nameOf(id)).toBeNull();
});

it("is rolled back when its audit event cannot be written", async () => {
  const { id } = await newUser();
  const nobody = "3f2f4e0c-5a0e-4c39-9d3c-0a4a3b9d7aff";
  const untold = transaction(async (db) => {
    await db.user.update({ where: { id }, data: { displayName: "Untold" } });
    await auditIn(db, { userId: nobody, context: { requestId: "x", address: "y" }, action: "project.deleted" });
  });
  await expect(untold).rejects.toThrow();
  expect(await nameOf(id)).toBeNull();
});

it("runs again after losing a deadlock", async () => {
  const [first, second] = [await newUser(), await newUser()];
  const other = new pg.Client({ connectionString: databaseUrl() });
  await other.connect();
  // Postgres ends the transaction whose own wait reaches this time, so never the other one.
  await other.query("SET deadlock_timeout = '1min'");
  await other.query("BEGIN");
  await other.query(rename("the other"), [second.id]);
  let runs = 0;
  let waits: Promise<unknown> = Promise.resolve();
  await transaction(async (db) => {
    await db.user.update({ where: { id: first.id }, data: { displayName: "ours" } });
    if (++runs === 1) {
      waits = other.query(rename("the other"), [first.id]).then(() => other.query("COMMIT"));
      await waitForLock();
    }
    await db.user.update({ where: { id: second.id }, data: { displayName: "ours" } });
  });
  await waits;
  await other.end();
  expect([runs, await nameOf(first.id), await nameOf(second.id)]).toEqual([2, "ours", "ours"]);
});
