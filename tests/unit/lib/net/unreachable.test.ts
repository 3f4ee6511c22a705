import { toUnreachableError, UnreachableError, type UnreachableReason } from "@/lib/net/unreachable";

const coded = (code: string) => Object.assign(new Error(code), { code });
const explained = (error: unknown) => {
  const { reason, host, sent } = toUnreachableError(error, "x.example");
  return { reason, host, sent };
};

describe("a failed request", () => {
  it.each<[string, UnreachableReason, boolean]>([
    ["ENOTFOUND", "dns", false],
    ["ECONNREFUSED", "refused", false],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout", false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls", false],
    ["CERT_HAS_EXPIRED", "tls", false],
    ["ETIMEDOUT", "timeout", true],
    ["UND_ERR_HEADERS_OVERFLOW", "too-large", true],
    ["HPE_INVALID_CONSTANT", "protocol", true],
    ["ECONNRESET", "refused", true],
    ["constructor", "refused", true],
  ])("is explained by its code %s: %s, sent: %s", (code, reason, sent) => {
    expect(explained(coded(code))).toEqual({ reason, host: "x.example", sent });
    expect(explained(new TypeError("fetch failed", { cause: coded(code) }))).toMatchObject({ reason, sent });
    expect(explained(new AggregateError([coded(code)]))).toMatchObject({ reason, sent });
  });

  it("is explained by its name where its code is a number or missing", () => {
    expect(explained(new DOMException("late", "TimeoutError"))).toMatchObject({ reason: "timeout", sent: true });
    expect(explained(Object.assign(new Error("bad"), { name: "HTTPParserError" }))).toMatchObject({
      reason: "protocol",
    });
  });

  it.each([["a text"], [null], [undefined], [{}]])("counts as possibly sent, whatever was thrown: %p", (thrown) => {
    expect(explained(thrown)).toEqual({ reason: "refused", host: "x.example", sent: true });
  });

  it("keeps a reason that it already has, and only gets the host", () => {
    const whole = new UnreachableError("redirect", "y.example");
    expect(toUnreachableError(whole, "x.example")).toBe(whole);
    expect(whole).toMatchObject({ sent: false, message: "y.example could not be reached (redirect)" });
    expect(explained(new UnreachableError("too-large", ""))).toEqual({
      reason: "too-large",
      host: "x.example",
      sent: true,
    });
  });
});
