import type { SafeResponse } from "@/lib/net/safe-fetch";
import { isRefusal } from "@/lib/wordpress/failures";
import { pageFailure } from "@/lib/wordpress/page-failures";

const page = (status: number, text = "<html>", headers: Record<string, string> = {}) => ({
  status,
  text,
  headers: new Headers(headers),
  url: "https://x.example/wp-json/",
});

const NO_DATA = "It answered with a web page where WordPress answers with data";
const BLOCKED = "A security plugin or firewall of the site blocked the request";
const BROKEN = "The site had an internal error";

describe("a page in place of data", () => {
  it.each<[string, ReturnType<typeof page>, string]>([
    ["any other page", page(299), NO_DATA],
    ["a redirect without an address", page(300), "The site redirects to another address:"],
    [
      "a redirect to an invalid address",
      page(308, "", { location: "http://[" }),
      "The site redirects to another address:",
    ],
    [
      "a redirect within the site",
      page(399, "", { location: "/de/" }),
      "The site redirects to https://x.example: enter the address",
    ],
    ["a bad request", page(400), NO_DATA],
    ["a payment wall", page(402), NO_DATA],
    ["a refused page", page(403), BLOCKED],
    ["a method that is not allowed", page(405), NO_DATA],
    ["a page in no accepted format", page(406), BLOCKED],
    ["a proxy's login", page(407), NO_DATA],
    ["the last status of refusals", page(499), NO_DATA],
    ["the first status of a broken server", page(500), `${BROKEN} (500)`],
    ["a server that is not available", page(503), `${BROKEN} (503)`],
    [
      "maintenance without a time",
      page(503, "Briefly unavailable for scheduled maintenance."),
      "The site is in maintenance",
    ],
    ["a text about maintenance", page(500, "maintenance"), `${BROKEN} (500)`],
    ["a text about Wordfence", page(200, "Wordfence"), NO_DATA],
    ["Wordfence at the beginning", page(400, "Wordfence"), "Wordfence blocked"],
    ["Sucuri in the text", page(403, "Sucuri Website Firewall"), "Sucuri blocked"],
    ["Sucuri in a header", page(403, "", { "x-sucuri-id": "1" }), "Sucuri blocked"],
    ["Cloudflare's challenge", page(403, "Just a moment...", { "cf-ray": "1" }), "Cloudflare blocked"],
    ["Cloudflare's header of a challenge", page(499, "", { "cf-mitigated": "challenge" }), "Cloudflare blocked"],
    ["a site behind Cloudflare", page(403, "Forbidden", { "cf-ray": "1" }), BLOCKED],
    ["a challenge without Cloudflare's header", page(403, "Just a moment..."), BLOCKED],
    ["a broken server behind Cloudflare", page(500, "", { "cf-mitigated": "challenge" }), `${BROKEN} (500)`],
  ])("is explained: %s", (_what, response, sentence) => {
    expect(pageFailure(response).message).toContain(sentence);
  });

  it("is searched for the name of a firewall in its first 20,000 characters", () => {
    const behind = (spaces: number) => pageFailure(page(400, `${" ".repeat(spaces)}wordfence`)).message;
    expect(behind(19_991)).toContain("Wordfence blocked");
    expect(behind(19_992)).toContain(NO_DATA);
  });

  it.each([
    ["600", 600],
    [" 30 ", 30],
    ["86400", 3600],
    ["Wed, 21 Oct 2026 07:28:00 GMT", undefined],
    ["1234567", undefined],
  ])("says how long to wait: %p", (value, seconds) => {
    expect(pageFailure(page(429, "", { "retry-after": value })).retryAfter).toBe(seconds);
  });
});

it.each([
  [302, false],
  [399, false],
  [400, true],
  [401, true],
  [407, true],
  [408, false],
  [409, true],
  [499, true],
  [500, false],
  [503, false],
])("counts a write that WordPress itself answers with %s as refused: %s", (status, refused) => {
  expect(isRefusal(page(status), { code: "rest_no", message: "No.", data: { status } })).toBe(refused);
});

it("knows an error of a plugin, which has no data", () => {
  expect(isRefusal(page(403), { code: "rest_login_required", message: "Sign in first." })).toBe(true);
});

it("does not know what became of a write that a cache waited for in vain", () => {
  expect(isRefusal(page(503, "<html>Backend fetch failed", { "retry-after": "5" }), undefined)).toBe(false);
});

it.each([302, 401, 403, 404, 406])("does not know what became of a write that a page answers with %s", (status) => {
  for (const json of [undefined, {}, { error: "blocked" }]) expect(isRefusal(page(status), json)).toBe(false);
});

it.each<[string, SafeResponse]>([
  ["during maintenance, in any language", page(503, "<html>Wartung", { "retry-after": "600" })],
  ["during maintenance that a plugin announces", page(503, "<html>Maintenance")],
  ["that was too large", page(413)],
  ["that was one too many", page(429)],
])("counts a write %s as refused, whichever server answers", (_what, response) => {
  expect(isRefusal(response, undefined)).toBe(true);
});
