import type { createLog as CreateLog } from "@/lib/log";

let createLog: typeof CreateLog;
beforeAll(async () => {
  process.env.LOG_LEVEL = "info";
  ({ createLog } = await import("@/lib/log"));
});

const SECRET = "planted-2b7e";

/** The line that is written. */
function logged(line: object, message: string): string {
  const lines: string[] = [];
  createLog({ write: (written) => void lines.push(written) }).error(line, message);
  return lines.join("");
}

it.each([
  "password",
  "passwordHash",
  "currentPassword",
  "openaiApiKey",
  "wordpressPassword",
  "apiKey",
  "authorization",
  "cookie",
  "token",
  "sessionToken",
])("never writes a %s, however deeply it is nested", (name) => {
  const secret = { [name]: SECRET };
  const text = logged({ ...secret, user: secret, request: { headers: secret } }, "refused");
  expect(text).not.toContain(SECRET);
  expect(JSON.parse(text)).toMatchObject({ msg: "refused", [name]: "[redacted]" });
});

it("never writes the cookie that a response sets", () => {
  const text = logged({ headers: { "set-cookie": SECRET } }, "answered");
  expect(JSON.parse(text).headers).toEqual({ "set-cookie": "[redacted]" });
});

it("writes an error with its causes, without the secrets they carry", () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED"), { token: SECRET });
  const text = logged({ err: new Error("no connection", { cause }), requestId: "1a2b" }, "failed");
  expect(JSON.parse(text)).toMatchObject({
    requestId: "1a2b",
    err: { message: expect.stringContaining("no connection") },
  });
  expect(text).toContain("ECONNREFUSED");
  expect(text).not.toContain(SECRET);
});
