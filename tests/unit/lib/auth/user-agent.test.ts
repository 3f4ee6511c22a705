import { deviceName, userAgentOf } from "@/lib/auth/user-agent";

const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const CHROMIUM = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0";

it.each([
  ["Chrome on Linux", `Mozilla/5.0 (X11; Linux x86_64) ${CHROMIUM} Safari/537.36`],
  ["Chrome on Chrome OS", `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROMIUM} Safari/537.36`],
  ["Microsoft Edge on Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROMIUM} Safari/537.36 Edg/125.0.0.0`],
  ["Firefox on macOS", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:126.0) Gecko/20100101 Firefox/126.0"],
  ["Chrome on Android", `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROMIUM} Mobile Safari/537.36`],
  [
    "Safari on iPhone",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${WEBKIT} Version/17.5 Mobile/15E148 Safari/604.1`,
  ],
  [
    "Firefox on iPhone",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${WEBKIT} FxiOS/126.0 Mobile/15E148 Safari/605.1.15`,
  ],
  [
    "Chrome on iPad",
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${WEBKIT} CriOS/125.0.0.0 Mobile/15E148 Safari/604.1`,
  ],
  [
    "Samsung Internet for Android",
    "Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
  ],
  ["Linux", "Mozilla/5.0 (X11; Linux x86_64)"],
  ["PlayStation 4", "PlayStation 4"],
])("recognises %s", (name, userAgent) => {
  expect(deviceName(userAgent)).toBe(name);
});

it.each([
  null,
  undefined,
  "",
  "curl/8.5.0",
  "<script>alert(1)</script>/1.0 x",
  "constructor/1.0 x",
  "__proto__/1.0 x",
  "toString/1 x",
  "This device/1.0 x",
  "\u202eemorhC/1.0 x",
  "(".repeat(300),
  "Mozilla/5.0 (".repeat(23),
])("repeats no text that a client made up: %j", (userAgent) => {
  expect(deviceName(userAgent)).toBe("Unknown device");
});

it("keeps only what a database can store, at most 300 characters", () => {
  expect(userAgentOf("  Firefox\0/126\u0007\u009f\ud800 ")).toBe("Firefox/126");
  expect(userAgentOf("x".repeat(100_000))).toBe("x".repeat(300));
  expect(userAgentOf("🌱".repeat(1_000))).toBe("🌱".repeat(300));
  expect(userAgentOf("Firefox/126")).toBe("Firefox/126");
  // Only the first 1,200 UTF-16 units are read.
  expect(userAgentOf("\0".repeat(600) + "🌱".repeat(400))).toBe("🌱".repeat(300));
  expect(userAgentOf(`${"\0".repeat(1_200)}x`)).toBeUndefined();
  for (const nothing of [null, "", " ", "\0\u0001", "\udc00"]) expect(userAgentOf(nothing)).toBeUndefined();
});
