import { readFileSync } from "node:fs";

/**
 * Which CLI traces which Next.js well: an older one leaves files out, and the functions crash at their first request. After
 * raising either, run `npm run test:vercel` and put the new pair here.
 */
const PROVED = [{ next: "16.4", vercel: "60.1.3" }];

const { scripts, dependencies } = JSON.parse(readFileSync("package.json", "utf8"));

describe("Vercel", () => {
  it("is built by a CLI that is proved with this Next.js", () => {
    const [next] = /^\d+\.\d+/.exec(dependencies.next) ?? [];
    const [, vercel] = /^npx --yes vercel@(\d+\.\d+\.\d+)$/.exec(scripts.vercel) ?? [];
    expect(PROVED).toContainEqual({ next, vercel });
  });

  it("is named with its version in package.json alone", () => {
    const workflow = readFileSync(".github/workflows/preview.yml", "utf8");
    expect(workflow).toContain("npm run --silent vercel -- build");
    expect(workflow).not.toMatch(/vercel@/);
  });

  it("builds with our command, which migrates first", () => {
    expect(JSON.parse(readFileSync("vercel.json", "utf8")).buildCommand).toBe("npm run vercel-build");
    expect(scripts["vercel-build"]).toBe("node scripts/vercel-build.mjs");
  });
});
