// Reads the specs of app/api and writes what others need of them into two git-ignored files: plain data for the browser
// and proxy.ts, and all routes for the API document. Plain JavaScript: it runs before anything is generated.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const API = path.join("app", "api");
const DATA = path.join("lib", "transport", "generated", "operations.ts");
const ROUTES = path.join(API, "openapi.json", "generated", "routes.ts");
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** The members of a spec that the browser gets: `BrowserFacts` in lib/transport/paths.ts. */
const FACTS = ["changes", "isIncremental", "shows", "idempotent", "external"];
/** The route that answers whatever no other path does, so it is no operation. */
const NOT_FOUND = "/api/[...missing]";
/** The route that imports the list of routes, so it adds itself. */
const DOCUMENT = "/api/openapi.json";
const HEADER = "// Written by npm run generate from the specs in app/api.\n";

/** Generates both files; throws a sentence if a route says too little of itself. */
export async function generateOperations() {
  const files = readdirSync(API, { recursive: true })
    .filter((file) => path.basename(file) === "route.ts")
    .sort();
  const { outputFiles } = await build({
    entryPoints: files.map((file) => path.join(API, file)),
    outbase: API,
    outdir: "out",
    write: false,
    format: "cjs",
    logLevel: "silent",
  });
  const routes = outputFiles
    .map(({ path: file, text }) => {
      const folder = path.relative(path.resolve("out"), path.dirname(file)).split(path.sep).join("/");
      return { path: `/api/${folder}`, ...readRoute(text) };
    })
    .filter((route) => route.path !== NOT_FOUND);
  write(DATA, dataOf(routes));
  write(ROUTES, modulesOf(routes));
}

/** What a route file exports. It runs on stand-ins: its imports would need the app's whole environment. */
function readRoute(code) {
  const module = { exports: {} };
  const known = {
    "@/lib/transport/route": { route: (spec) => ({ spec }) },
    "@/lib/transport/external": { external: (spec) => ({ spec: { ...spec, external: true } }) },
  };
  new Function("require", "module", code)((name) => known[name] ?? STAND_IN, module);
  const methods = METHODS.filter((method) => method in module.exports);
  const specs = methods.map((method) => [method, module.exports[method].spec]);
  return { specs, maxDuration: module.exports.maxDuration };
}

/** Whatever a route file imports: its members, calls and instances are the same again. */
const STAND_IN = new Proxy(function standIn() {}, {
  get: () => STAND_IN,
  apply: () => STAND_IN,
  construct: () => STAND_IN,
});

function dataOf(routes) {
  const lines = routes.map(({ path, specs, maxDuration }) => {
    const methods = specs.map(([method, spec]) => [method, factsOf(`${method} ${path}`, spec, maxDuration)]);
    return `  ${JSON.stringify(path)}: ${JSON.stringify(Object.fromEntries(methods))},\n`;
  });
  return `${HEADER}export const OPERATIONS = {\n${lines.join("")}} as const;\n`;
}

function factsOf(name, spec, maxDuration) {
  if (typeof spec?.operationId !== "string")
    throw new Error(`${name} has no spec: make its handler with route(…) and an operationId (lib/transport/route.ts).`);
  const needsSession = !spec.external && (spec.access ?? "user") === "user";
  if (!name.startsWith("GET ") && needsSession && !spec.changes)
    throw new Error(`${name} does not say what it changes: add \`changes\` to its spec (lib/transport/paths.ts).`);
  const facts = Object.fromEntries(FACTS.filter((fact) => fact in spec).map((fact) => [fact, spec[fact]]));
  const text = JSON.stringify(facts, (fact, value) => {
    if (typeof value !== "function") return value;
    throw new Error(`${name}: write \`${fact}\` out in its spec. What it imports is not read.`);
  });
  return { ...JSON.parse(text), ...(facts.changes?.length > 0 && maxDuration ? { maxSeconds: maxDuration } : {}) };
}

function modulesOf(routes) {
  const listed = routes.filter(({ path }) => path !== DOCUMENT);
  const isExternal = ({ specs }) => specs.every(([, spec]) => spec.external);
  const imports = listed.flatMap((route, at) =>
    isExternal(route) ? [] : [`import * as route${at} from ${JSON.stringify(`@/app${route.path}/route`)};\n`],
  );
  const lines = listed.map((route, at) => {
    const specs = Object.fromEntries(route.specs.map(([method, spec]) => [method, { spec }]));
    return `  ${JSON.stringify(route.path)}: ${isExternal(route) ? JSON.stringify(specs) : `route${at}`},\n`;
  });
  return `${HEADER}${imports.join("")}import type { RouteModule } from "@/lib/transport/openapi";

export const routes: Record<string, RouteModule> = {\n${lines.join("")}};\n`;
}

/** Writes only what has changed: a development server watches these files. */
function write(file, text) {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
