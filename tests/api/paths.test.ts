import { allowedMethods, operationsAt } from "@/lib/transport/paths";
import { routes } from "@/tests/support/app";
import { externalNames, operationNames } from "@/tests/support/operations";

const HTTP = ["GET", "POST", "PUT", "PATCH", "DELETE"];

it("finds the operations of every route", async () => {
  const found = await Promise.all(
    routes.map(async ({ path, load }) => {
      const module = await load();
      return HTTP.filter((method) => method in module).map((method) => `${method} ${path}`);
    }),
  );
  const missing = HTTP.map((method) => `${method} /api/[...missing]`);
  expect([...operationNames(), ...externalNames, ...missing].sort()).toEqual(found.flat().sort());
});

it("distinguishes a path without an id from one whose name looks like an id", () => {
  expect(allowedMethods("/api/content/groups")).toEqual(["GET", "HEAD", "OPTIONS"]);
  expect(allowedMethods("/api/content/x")).toEqual(["GET", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
  expect(allowedMethods("/api/auth/callback/google")).toEqual(["GET", "POST", "HEAD", "OPTIONS"]);
  for (const path of ["/api", "/api/content/x/y", "/api/content/", "/api/contents"])
    expect(operationsAt(path)).toBeUndefined();
});
