import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { keptSecrets } from "@/scripts/secrets";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "secrets-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("keptSecrets", () => {
  it("makes them once and gives the same ever after", () => {
    const first = keptSecrets(folder);
    expect(keptSecrets(folder)).toEqual(first);
    expect(first.ENCRYPTION_KEYS).toMatch(/^k1:/);
    expect(Buffer.from(first.ENCRYPTION_KEYS.slice(3), "base64")).toHaveLength(32);
    expect(first.INNGEST_SIGNING_KEY).toMatch(/^signkey-dev-[0-9a-f]{64}$/);
    expect(first.AUTH_SECRET.length).toBeGreaterThanOrEqual(43);
  });

  it("keeps them from everybody else", () => {
    keptSecrets(folder);
    expect(statSync(path.join(folder, "secrets.json")).mode & 0o777).toBe(0o600);
  });

  it("gives two installations different ones", () => {
    expect(keptSecrets(path.join(folder, "a"))).not.toEqual(keptSecrets(path.join(folder, "b")));
  });

  it("adds one that an older file does not have, and keeps the others", () => {
    const { ENCRYPTION_KEYS } = keptSecrets(folder);
    writeFileSync(path.join(folder, "secrets.json"), JSON.stringify({ ENCRYPTION_KEYS }));
    expect(keptSecrets(folder).ENCRYPTION_KEYS).toBe(ENCRYPTION_KEYS);
    expect(keptSecrets(folder).AUTH_SECRET).toBeTruthy();
  });

  it("never writes over a damaged file, whose keys sealed the data", () => {
    writeFileSync(path.join(folder, "secrets.json"), "{ half");
    expect(() => keptSecrets(folder)).toThrow("is damaged: restore it");
    expect(readFileSync(path.join(folder, "secrets.json"), "utf8")).toBe("{ half");
  });
});
