import { allowedMethods, METHODS } from "@/lib/transport/methods";
import { routes } from "@/tests/support/app";

const HTTP = ["GET", "POST", "PUT", "PATCH", "DELETE"];

it("keeps the table of methods in step with the routes", async () => {
  const taken: Record<string, string[]> = {};
  for (const { path, load } of routes) {
    if (path === "/api/[...missing]") continue;
    const module = await load();
    taken[path] = HTTP.filter((method) => method in module);
  }
  expect(METHODS).toEqual(taken);
});

it("distinguishes a path without an id from one whose name looks like an id", () => {
  expect(allowedMethods("/api/content/groups")).toEqual(["GET", "HEAD", "OPTIONS"]);
  expect(allowedMethods("/api/content/x")).toEqual(["GET", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
  for (const path of ["/api", "/api/content/x/y", "/api/content/", "/api/contents"])
    expect(allowedMethods(path)).toBeUndefined();
});
