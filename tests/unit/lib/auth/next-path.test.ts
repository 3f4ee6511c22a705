import { safeNextPath } from "@/lib/auth/next-path";

it.each(["/settings", "/content/abc?tab=outline", "/projects/3#topics", "/content?search=%2F%2Fx"])(
  "returns to %s",
  (path) => expect(safeNextPath(path)).toBe(path),
);

it.each([
  "https://evil.example",
  "//evil.example",
  "//[",
  "/auth/reset",
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
])("goes to the start page instead of %p", (next) => expect(safeNextPath(next)).toBe("/"));
