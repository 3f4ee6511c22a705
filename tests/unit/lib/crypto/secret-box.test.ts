import { randomBytes } from "node:crypto";
import { createSecretBox, needsRotation, open, SecretBoxError, seal } from "@/lib/crypto/secret-box";
import { env } from "@/lib/env";

const key = () => randomBytes(32).toString("base64");
const place = { owner: "user:42", field: "wordpressPassword" };
const reasonOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error instanceof SecretBoxError ? error.reason : error;
  }
};

describe("a sealed secret", () => {
  const box = createSecretBox(`k1:${key()}`);

  it.each(["", "abcd EFGH 1234", "Größe 园艺 🌱", "x".repeat(10_000)])("opens to what was sealed (%#)", (plaintext) => {
    const sealed = box.seal(plaintext, place);
    expect(box.open(sealed, place)).toBe(plaintext);
    if (plaintext.length > 3) expect(sealed).not.toContain(plaintext);
  });

  it("is different each time", () => {
    expect(box.seal("same", place)).not.toBe(box.seal("same", place));
  });

  it("opens only for its own owner and field", () => {
    const sealed = box.seal("secret", place);
    expect(reasonOf(() => box.open(sealed, { ...place, owner: "user:43" }))).toBe("tampered");
    expect(reasonOf(() => box.open(sealed, { ...place, field: "openaiApiKey" }))).toBe("tampered");
    const ambiguous = box.seal("secret", { owner: "a:b", field: "c" });
    expect(reasonOf(() => box.open(ambiguous, { owner: "a", field: "b:c" }))).toBe("tampered");
  });

  it("does not open when any character was changed", () => {
    const sealed = box.seal("secret", place);
    const accepted = [...sealed].flatMap((character, index) => {
      const changed = sealed.slice(0, index) + (character === "A" ? "B" : "A") + sealed.slice(index + 1);
      return reasonOf(() => box.open(changed, place)) === "secret" ? [index] : [];
    });
    expect(accepted).toEqual([]);
  });

  it.each(["", "plain text", "v1.k1", "v2.k1.AAAA.AAAA", "v1.k1.AAAA.AAAA.AAAA"])("refuses %p as tampered", (text) => {
    expect(reasonOf(() => box.open(text, place))).toBe("tampered");
  });
});

describe("a key ring", () => {
  it("opens with an old key and says that the secret should be sealed again", () => {
    const old = key();
    const sealed = createSecretBox(`k1:${old}`).seal("secret", place);
    const rotated = createSecretBox(`k2:${key()}, k1:${old}`);
    expect(rotated.open(sealed, place)).toBe("secret");
    expect(rotated.needsRotation(sealed)).toBe(true);
    expect(rotated.needsRotation(rotated.seal("secret", place))).toBe(false);
  });

  it("reports a key that is no longer listed", () => {
    const sealed = createSecretBox(`k1:${key()}`).seal("secret", place);
    expect(reasonOf(() => createSecretBox(`k2:${key()}`).open(sealed, place))).toBe("unknown-key");
  });

  it("does not open under another key of the same name", () => {
    const sealed = createSecretBox(`k1:${key()}`).seal("secret", place);
    expect(reasonOf(() => createSecretBox(`k1:${key()}`).open(sealed, place))).toBe("tampered");
  });

  it.each([
    "",
    "k1",
    "k1:",
    "k1:short",
    `k.1:${key()}`,
    `k1:${key()},`,
    `:${key()}`,
    `k1:${randomBytes(31).toString("base64")}`,
  ])("refuses the malformed ring %p in one sentence", (keys) => {
    expect(() => createSecretBox(keys)).toThrow(/^ENCRYPTION_KEYS must be a list like [^.]+\.$/);
  });

  it("refuses a key named twice", () => {
    expect(() => createSecretBox(`k1:${key()},k1:${key()}`)).toThrow("ENCRYPTION_KEYS names the key k1 twice.");
  });
});

describe("the keys of the environment", () => {
  it("are reported by name when they are not set, and seal and open when they are", () => {
    const keys = jest.replaceProperty(env, "ENCRYPTION_KEYS", undefined);
    expect(() => seal("secret", place)).toThrow("ENCRYPTION_KEYS is not set.");
    keys.replaceValue(`k1:${key()}`);
    const sealed = seal("secret", place);
    expect(open(sealed, place)).toBe("secret");
    expect(needsRotation(sealed)).toBe(false);
  });
});
