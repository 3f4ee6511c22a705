import { rejectCrossSite } from "@/lib/transport/cross-site";

const LOCAL = "http://localhost:3000";
const PUBLIC = "https://planner.example.com";

function isRefused(headers: Record<string, string>, appUrl = LOCAL): boolean {
  try {
    rejectCrossSite(new Headers(headers), appUrl);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ type: "FORBIDDEN_ORIGIN" });
    return true;
  }
}

it.each([
  ["same-origin", false],
  ["none", false],
  ["same-site", true],
  ["cross-site", true],
  ["", true],
])("Sec-Fetch-Site %j decides, whatever Origin says", (site, refused) => {
  for (const origin of [LOCAL, "https://evil.example"]) {
    expect(isRefused({ "sec-fetch-site": site, origin })).toBe(refused);
  }
  expect(isRefused({ "sec-fetch-site": site })).toBe(refused);
});

it.each([
  [LOCAL, LOCAL],
  ["http://127.0.0.1:3000", LOCAL],
  ["http://[::1]:3000", LOCAL],
  [PUBLIC, PUBLIC],
])("accepts the origin %s when the app runs at %s", (origin, appUrl) => {
  expect(isRefused({ origin }, appUrl)).toBe(false);
});

it.each([
  ["http://localhost:3001", LOCAL],
  ["http://127.0.0.1", LOCAL],
  ["https://localhost:3000", LOCAL],
  ["http://evil.example:3000", LOCAL],
  ["null", LOCAL],
  ["", LOCAL],
  ["https://evil.example", PUBLIC],
  ["http://planner.example.com", PUBLIC],
  ["https://localhost", PUBLIC],
])("refuses the origin %j when the app runs at %s", (origin, appUrl) => {
  expect(isRefused({ origin }, appUrl)).toBe(true);
});

it("accepts a client that is not a browser", () => {
  expect(isRefused({})).toBe(false);
});
