import { spawnSync } from "node:child_process";

function build(environment: Record<string, string>): { status: number | null; stderr: string } {
  const env = { ...environment, NODE_ENV: "production" } as const;
  return spawnSync(process.execPath, ["scripts/vercel-build.mjs"], { env, encoding: "utf8" });
}

describe("scripts/vercel-build.mjs", () => {
  it("refuses a preview that has no database of its own", () => {
    const result = build({ VERCEL_ENV: "preview", DATABASE_URL: "postgresql://production/db" });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain("set PREVIEW_DATABASE=true");
  });

  it("refuses to build without a database to migrate", () => {
    const result = build({ VERCEL_ENV: "production" });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain("DATABASE_URL is not set");
  });
});
