import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

it("has one way to run a transaction", () => {
  const own = ["lib", "app", "inngest", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.join(folder, file)),
  );
  const callers = own
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("lib/db/generated/"))
    .filter((file) => /\.\$transaction\b/.test(readFileSync(file, "utf8")));
  expect(callers).toEqual(["lib/db/transaction.ts"]);
});
