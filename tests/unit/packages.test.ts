import { readFileSync } from "node:fs";

/** Brings its own old copies, and never runs in the browser. */
const PRISMA_STUDIO = "node_modules/@prisma/studio-core/";

it("installs each Radix package once, so that the browser loads no second copy", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, unknown> };
  const places = Object.keys(packages).filter((place) => place.includes("node_modules/@radix-ui/"));
  expect(places.length).toBeGreaterThan(0);
  const nested = places.filter((place) => place.lastIndexOf("node_modules/") > 0);
  expect(nested.filter((place) => !place.startsWith(PRISMA_STUDIO))).toEqual([]);
});

it("installs each package of OpenTelemetry once, but for what the SDK of Inngest brings", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, unknown> };
  const nested = Object.keys(packages).filter((place) => /.node_modules\/@opentelemetry\//.test(place));
  expect(nested.filter((place) => !place.includes("/@traceloop/"))).toEqual([]);
});
