import { ownPath } from "@/lib/utils/own-path";

it.each(["/settings", "/content/abc?tab=outline", "/projects/3#topics", "/content?search=%2F%2Fx"])(
  "leads back to %s",
  (path) => expect(ownPath(path)).toBe(path),
);

it.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  "javascript:alert(1)",
  "settings",
  "/auth",
  "/auth?next=/auth",
  "/api/logout",
  "",
  undefined,
  ["/settings", "/content"],
])("never leads to %p", (next) => expect(ownPath(next)).toBe("/"));
