import { createSecret, HIDDEN } from "@/lib/wordpress/secret";
import { cpuTime } from "@/tests/support/cpu-time";

const PASSWORD = "abcd EFGH ijkl MNOP qrst uvwx";
const BARE = PASSWORD.replaceAll(" ", "");
const secret = createSecret(PASSWORD);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const entities = (text: string) => [...text].map((each) => `&#${each.charCodeAt(0)};`).join("");
const percent = (text: string) => [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join("");
const unicode = (text: string) => [...text].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join("");

describe("the password of a site is recognised", () => {
  it.each([
    ["as it was typed", PASSWORD],
    ["without its spaces", BARE],
    ["in a host name, in lower case", `https://x${BARE.toLowerCase()}y.example/`],
    ["with other spaces", PASSWORD.replaceAll(" ", "\u00a0\n")],
    ["with characters that nobody sees", [...BARE].join("\u200b\0")],
    ["between tags", `<b>${BARE.slice(0, 9)}</b><i>${BARE.slice(9)}</i>`],
    ["in an address", encodeURIComponent(PASSWORD)],
    ["in a form", PASSWORD.replaceAll(" ", "+")],
    ["with each character escaped for an address", percent(PASSWORD)],
    ["escaped for HTML", entities(BARE)],
    ["escaped for HTML twice", entities(BARE).replaceAll("&", "&amp;")],
    ["escaped for JSON", unicode(BARE)],
    ["with the username in base64", `Basic ${base64(`me:${PASSWORD}`)}`],
    ["with the username and without spaces in base64", base64(`somebody:${BARE}`)],
    ["in base64 for addresses", `https://x.example/a/${base64(`me:${BARE}`).replaceAll("+", "-")}`],
    ["in base64 behind other characters", `xyz${base64(PASSWORD)}`],
    ["in base64 that is escaped for an address", encodeURIComponent(base64(`x:${BARE}`))],
    ["cut in its middle", `A sentence that ends with ${BARE.slice(0, 12)}`],
  ])("%s", (_form, text) => {
    expect([secret.isIn(text), secret.isIn(`Before ${text}`)]).toEqual([true, true]);
  });

  it.each([
    "Plugin WordfenceLoginSecurity refused this.",
    "https://x.example/2026/11/a-post-with-a-long-slug/",
    `ends with ${BARE.slice(0, 11)}`,
    `${BARE.slice(0, 20)} in the middle`,
    "%%% &&& \\u00zz <<<",
  ])("and nothing else is: %s", (text) => {
    expect(secret.isIn(text)).toBe(false);
  });

  it("also when it has characters that are escaped", () => {
    const odd = createSecret("a&b%41<c>+\\u0041d");
    expect(["a&b%41<c>+\\u0041d", "a&amp;b%2541&lt;c&gt;%2B\\\\u0041d"].map(odd.isIn)).toEqual([true, true]);
  });

  it("unless it is too short to be one", () => {
    expect([
      createSecret("").isIn("abc"),
      createSecret("admin").isIn("an admin"),
      createSecret("hunter").isIn("Hunter"),
    ]).toEqual([false, false, true]);
  });

  it("in time that grows with the text alone", () => {
    for (const part of ["<", "%41", "&#65;", "\\u0041", "YWJj", "a "])
      expect(cpuTime(() => secret.isIn(part.repeat(2_000_000)))).toBeLessThan(100);
  });
});

it("an answer is kept without it: no address, no name, and a post's own texts as they are", () => {
  const answer = {
    name: `A ${BARE}`,
    link: `https://x.example/${BARE}`,
    authorization: `https://x.example/${BARE}`,
    guid: "https://x.example/?p=7",
    roles: ["editor", BARE],
    title: BARE,
    content: BARE,
    parent: null,
    id: 7,
  };
  const kept = { ...answer, name: HIDDEN, link: null, authorization: null, roles: ["editor", HIDDEN] };
  expect(secret.leftOutOf([answer])).toEqual([kept]);
});

it.each([
  [PASSWORD, true],
  [BARE, true],
  ["hunter2", false],
])("%s looks like one that WordPress made: %s", (password, looks) => {
  expect(createSecret(password).isApplicationPassword).toBe(looks);
});
