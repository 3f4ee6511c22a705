import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { loadSecrets } from "@/scripts/secrets";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "secrets-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("loadSecrets", () => {
  it("creates the secrets once and then returns the same ones", () => {
    const first = loadSecrets(folder);
    expect(loadSecrets(folder)).toEqual(first);
    expect(first.ENCRYPTION_KEYS).toMatch(/^k1:/);
    expect(Buffer.from(first.ENCRYPTION_KEYS.slice(3), "base64")).toHaveLength(32);
    expect(first.INNGEST_SIGNING_KEY).toMatch(/^signkey-dev-[0-9a-f]{64}$/);
    expect(first.AUTH_SECRET.length).toBeGreaterThanOrEqual(43);
  });

  it("makes the file readable for its owner only", () => {
    loadSecrets(folder);
    expect(statSync(path.join(folder, "secrets.json")).mode & 0o777).toBe(0o600);
  });

  it("creates different secrets for each installation", () => {
    expect(loadSecrets(path.join(folder, "a"))).not.toEqual(loadSecrets(path.join(folder, "b")));
  });

  it("adds a secret that an older file lacks and keeps the others", () => {
    const { ENCRYPTION_KEYS } = loadSecrets(folder);
    writeFileSync(path.join(folder, "secrets.json"), JSON.stringify({ ENCRYPTION_KEYS }));
    expect(loadSecrets(folder).ENCRYPTION_KEYS).toBe(ENCRYPTION_KEYS);
    expect(loadSecrets(folder).AUTH_SECRET).toBeTruthy();
  });

  it("never overwrites a damaged file, whose keys sealed the data", () => {
    writeFileSync(path.join(folder, "secrets.json"), "{ half");
    expect(() => loadSecrets(folder)).toThrow("is damaged: restore it");
    expect(readFileSync(path.join(folder, "secrets.json"), "utf8")).toBe("{ half");
  });
});
