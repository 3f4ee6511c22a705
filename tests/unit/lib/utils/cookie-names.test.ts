/** @jest-environment node */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ownCookies } from "@/lib/transport/server/own-cookies";
import { COOKIES } from "@/lib/utils/cookie-names";

type DefaultCookies = (isSecure: boolean) => Record<string, { name: string }>;
/** The package does not export it. */
const { defaultCookies } = jest.requireActual<{ defaultCookies: DefaultCookies }>(
  path.resolve("node_modules/next-auth/core/lib/cookie.js"),
);

const FOLDERS = ["app", "components", "lib"];
const names: string[] = Object.values(COOKIES);

function sources(): [file: string, text: string][] {
  const files = FOLDERS.flatMap((folder) =>
    (readdirSync(folder, { recursive: true }) as string[]).map((file) => path.join(folder, file)),
  );
  return ["proxy.ts", ...files]
    .filter((file) => /\.tsx?$/.test(file) && !file.includes("generated"))
    .map((file) => [file, readFileSync(file, "utf8")]);
}

it("has every name of a cookie that the source reads or writes", () => {
  const found = sources().flatMap(([file, text]) => {
    const literal =
      /(?:_COOKIE\w*\s*=\s*|(?:cookies(?:\(\))?\)?|jar|cookieStore)\s*\.(?:get|set|has|delete)\(\s*|document\.cookie\s*=\s*)["'`]([^"'`=;$]+)/g;
    return [...text.matchAll(literal)].map(([, name]) => `${file}: ${name}`);
  });
  // Each takes its name from the list; a literal would be one that the guard does not know.
  expect(found).toEqual([]);
  const taken = sources().flatMap(([, text]) => [...text.matchAll(/(?<!_)COOKIES\.(\w+)/g)].map(([, key]) => key));
  const ofNextAuth = ["csrf", "state", "pkce", "nonce"];
  expect(new Set([...taken, ...ofNextAuth])).toEqual(new Set(Object.keys(COOKIES)));
});

it.each([false, true])("has the cookies of next-auth that keep its names (secure: %s)", (isSecure) => {
  const { sessionToken, callbackUrl, ...others } = defaultCookies(isSecure);
  // These two have names of ours (lib/auth/options.ts).
  expect([sessionToken, callbackUrl].every(Boolean)).toBe(true);
  for (const { name } of Object.values(others)) expect(ownCookies(`${name}=value`)).toBe(`${name}=value`);
});

it("lets each pass with and without a prefix", () => {
  for (const name of names.flatMap((name) => [name, `__Host-${name}`, `__Secure-${name}`])) {
    expect(ownCookies(`${name}=value`)).toBe(`${name}=value`);
  }
});
