import { spawnSync } from "node:child_process";

function build(environment: Record<string, string>): { status: number | null; stderr: string } {
  const env = { ...environment, NODE_ENV: "production" } as const;
  return spawnSync(process.execPath, ["scripts/vercel-build.mjs"], { env, encoding: "utf8" });
}

describe("scripts/vercel-build.mjs", () => {
  it("refuses a preview that has no database of its own", () => {
    const result = build({ VERCEL_ENV: "preview", DATABASE_URL: "postgresql://production/db" });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain("would apply its migrations to the database of DATABASE_URL");
    expect(result.stderr.match(/^ {2}\d\. /gm)).toHaveLength(3);
    expect(result.stderr).toContain('3. Set PREVIEW_DATABASE=true for "Preview" alone, and build again.');
    expect(result.stderr).not.toContain("postgresql://");
  });

  it("refuses to build without a database to migrate", () => {
    const result = build({ VERCEL_ENV: "production" });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain("DATABASE_URL is not set");
  });
});
