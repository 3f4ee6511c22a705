import { z } from "zod";
import { certificatesIn, isUnverified } from "@/lib/utils/database-address";

/**
 * The only reader of process.env. Defaults suit local development; instrumentation.ts checks at start, never while
 * building, what a deployment must set.
 */
const blankIsAbsent = (value: unknown) => (typeof value === "string" && value.trim() === "" ? undefined : value);
const optional = z.preprocess(blankIsAbsent, z.string().trim().optional());
const count = (fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(blankIsAbsent, z.coerce.number().int().min(min).max(max).default(fallback));
/** Scheme, host and port of a URL. */
const origin = z.url({ protocol: /^https?$/ }).transform((address) => new URL(address).origin);
/** The address of a page about a run, with {runId} in the place of the run's id. */
const runAddress = z
  .url({ protocol: /^https?$/ })
  .refine((address) => address.includes("{runId}"), "{runId} is missing");

const certificates = z.string().refine((pem) => certificatesIn(pem).length > 0, "no certificate in PEM form");

const schema = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  LOG_LEVEL: z.preprocess(blankIsAbsent, z.enum(["silent", "error", "warn", "info", "debug"]).default("info")),
  PORT: count(3000),
  HOST: z.preprocess(blankIsAbsent, z.string().default("127.0.0.1")),
  APP_URL: optional,
  DATABASE_URL: optional,
  DIRECT_DATABASE_URL: optional,
  DATABASE_CA: z.preprocess(blankIsAbsent, certificates.optional()),
  PREVIEW_DATABASE: optional,
  AUTH_SECRET: optional,
  ENCRYPTION_KEYS: optional,
  OPENAI_BASE_URL: z.preprocess(blankIsAbsent, z.url().default("https://api.openai.com/v1")),
  OPENAI_MODEL: z.preprocess(blankIsAbsent, z.string().default("gpt-5.4-mini")),
  AI_FIRST_BYTE_SECONDS: count(180, 1),
  AI_SILENCE_SECONDS: count(60, 1),
  AI_CALL_SECONDS: count(600, 1, 3600),
  GOOGLE_CLIENT_ID: optional,
  GOOGLE_CLIENT_SECRET: optional,
  GOOGLE_ISSUER: z.preprocess(blankIsAbsent, z.url().default("https://accounts.google.com")),
  FIREBASE_PROJECT_ID: optional,
  FIREBASE_JWKS_URL: z.preprocess(
    blankIsAbsent,
    z.url().default("https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"),
  ),
  SMTP_URL: optional,
  MAIL_FROM: z.preprocess(blankIsAbsent, z.string().default("Content Planner <no-reply@localhost>")),
  WORDPRESS_ALLOWED_HOSTS: z.preprocess(blankIsAbsent, z.string().default("")),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.preprocess(blankIsAbsent, z.url({ protocol: /^https?$/ }).optional()),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.preprocess(
    blankIsAbsent,
    z.enum(["http/protobuf", "http/json"]).default("http/protobuf"),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional,
  INNGEST_EVENT_KEY: optional,
  INNGEST_SIGNING_KEY: optional,
  INNGEST_BASE_URL: optional,
  INNGEST_DASHBOARD_URL: z.preprocess(blankIsAbsent, runAddress.optional()),
  INNGEST_DEV: optional,
  INNGEST_SERVE_ORIGIN: z.preprocess(blankIsAbsent, origin.optional()),
  TRUSTED_PROXY_HOPS: count(0),
  RATE_LIMIT_SCALE: z.preprocess(blankIsAbsent, z.coerce.number().min(0.01).default(1)),
  STORAGE_MAX_MB_PER_USER: count(2048, 1),
  SAVES_PER_MINUTE_PER_USER: count(240, 1),
  AI_MAX_CONCURRENCY_PER_USER: count(4, 1),
  WORDPRESS_MAX_CONCURRENCY_PER_SITE: count(4, 1),
  // A publish of several writes has to end within its lease (lib/lease).
  WORDPRESS_WRITE_TIMEOUT_SECONDS: count(20, 1, 30),
  VERCEL: optional,
  VERCEL_ENV: optional,
  VERCEL_URL: optional,
  VERCEL_BRANCH_URL: optional,
  VERCEL_PROJECT_PRODUCTION_URL: optional,
  CHROMIUM_PATH: optional,
  BOOT_ID: z.preprocess(blankIsAbsent, z.uuid().optional()),
});

/**
 * The platform, npm or our launcher sets these (BOOT_ID names this process in its leases), so they are not in .env.example.
 */
export const PLATFORM_NAMES = [
  "NODE_ENV",
  "VERCEL",
  "VERCEL_ENV",
  "VERCEL_URL",
  "VERCEL_BRANCH_URL",
  "VERCEL_PROJECT_PRODUCTION_URL",
  "BOOT_ID",
] as const;

export const ENV_NAMES = Object.keys(schema.shape);

export type Env = z.infer<typeof schema> & {
  /** Scheme, host and port. */
  APP_URL: string;
  /** The path that was given with it, which is ignored. */
  appPath: string;
  deployed: boolean;
};

/** Throws one sentence that names every invalid variable. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const parsed = schema.safeParse(source);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join(".")} (${issue.message})`).join(", ");
    throw new Error(`These environment variables are not valid: ${wrong}. .env.example explains each.`);
  }
  const appUrl = parsed.data.APP_URL ?? defaultAppUrl(parsed.data);
  if (!URL.canParse(appUrl)) throw new Error("APP_URL must be a full address such as https://planner.example.com.");
  const { origin, pathname } = new URL(appUrl);
  const deployed = parsed.data.VERCEL === "1" || !isLoopback(new URL(origin));
  return { ...parsed.data, APP_URL: origin, appPath: pathname === "/" ? "" : pathname, deployed };
}

function defaultAppUrl(values: z.infer<typeof schema>): string {
  if (values.VERCEL === "1") {
    const host =
      values.VERCEL_ENV === "production"
        ? values.VERCEL_PROJECT_PRODUCTION_URL
        : (values.VERCEL_BRANCH_URL ?? values.VERCEL_URL);
    if (host) return `https://${host}`;
  }
  return `http://localhost:${values.PORT}`;
}

export function isLoopback(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

const REQUIRED_WHEN_DEPLOYED = [
  "DATABASE_URL",
  "AUTH_SECRET",
  "ENCRYPTION_KEYS",
  "INNGEST_EVENT_KEY",
  "INNGEST_SIGNING_KEY",
] as const;

/**
 * Rejects a deployment that lacks a setting, naming each, a preview that would take production's jobs, and an app that would
 * accept unsigned calls from other machines.
 */
export function requireDeployable(values: Env): void {
  requireLocalDevServer(values);
  if (!values.deployed) return;
  const missing = REQUIRED_WHEN_DEPLOYED.filter((name) => !values[name]);
  if (missing.length > 0) {
    throw new Error(
      `This deployment lacks ${missing.join(", ")}. Set them in its environment; .env.example explains each.`,
    );
  }
  if (values.RATE_LIMIT_SCALE !== 1) throw new Error("RATE_LIMIT_SCALE is for tests; unset it on a deployment.");
  if (values.INNGEST_DEV) throw new Error("INNGEST_DEV is for local development; unset it on a deployment.");
  if (values.VERCEL_ENV === "preview" && values.INNGEST_SIGNING_KEY?.startsWith("signkey-prod-")) {
    throw new Error(
      "This preview has the signing key of Inngest's production environment, whose jobs it would take over: set the keys of " +
        "your branch environments (signkey-branch-…) for previews.",
    );
  }
}

/** A dev server does not sign its calls, so only this machine may send them. */
function requireLocalDevServer({ INNGEST_DEV, HOST, deployed }: Env): void {
  if (deployed || !isDevMode(INNGEST_DEV)) return;
  if (!isLoopbackHost(HOST)) {
    throw new Error(
      `INNGEST_DEV takes unsigned calls, and HOST=${HOST} lets other machines send them: unset one of the two.`,
    );
  }
  if (!isSwitch(INNGEST_DEV) && !isLoopback(new URL(withScheme(INNGEST_DEV)))) {
    throw new Error("INNGEST_DEV names a dev server on another machine: it must be 1 or an address of this one.");
  }
}

/** Reads the value as the SDK does: any other one is a dev server's URL. */
export function isDevMode(value: string | undefined): value is string {
  if (!value || /^(0|false)$/i.test(value)) return false;
  return isSwitch(value) || URL.canParse(withScheme(value));
}

export function isSwitch(value: string): boolean {
  return /^(1|true)$/i.test(value);
}

/** True when only this machine can reach a server listening on `host`. */
export function isLoopbackHost(host: string): boolean {
  const address = host.includes(":") ? `http://[${host}]` : `http://${host}`;
  return URL.canParse(address) && isLoopback(new URL(address));
}

/** How this machine reaches a server listening on `host`. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

export function withScheme(address: string): string {
  return address.includes("://") ? address : `http://${address}`;
}

/** Returns warnings of one line each; the app starts all the same. */
export function startupWarnings(values: Env): string[] {
  return [...pathWarning(values), ...unverifiedWarnings(values), ...proxyWarning(values)];
}

function pathWarning({ APP_URL, appPath }: Env): string[] {
  if (!appPath) return [];
  return [
    `APP_URL has a path (${appPath}), which is ignored: the app serves ${APP_URL}. From the next release a deployment whose ` +
      `APP_URL has a path does not start. Set APP_URL to ${APP_URL}.`,
  ];
}

function unverifiedWarnings(values: Env): string[] {
  const names = (["DATABASE_URL", "DIRECT_DATABASE_URL"] as const).filter((name) =>
    isUnverified(values[name] ?? "", values.DATABASE_CA),
  );
  if (names.length === 0) return [];
  return [
    `${names.join(" and ")}: the connection is encrypted, but nothing verifies the server (sslmode=no-verify), so anyone ` +
      "in between can read and change everything. Set DATABASE_CA or sslrootcert to the certificate of the server's " +
      "authority, and sslmode=verify-full.",
  ];
}

function proxyWarning({ deployed, HOST, VERCEL, TRUSTED_PROXY_HOPS }: Env): string[] {
  const isReachable = deployed || !isLoopbackHost(HOST);
  // Vercel identifies clients in its own header (lib/limits/address.ts).
  if (!isReachable || VERCEL === "1" || TRUSTED_PROXY_HOPS > 0) return [];
  return [
    "TRUSTED_PROXY_HOPS is 0, so all visitors count as one address: one stranger's failed sign-ins can stop everybody else " +
      "from signing in on a new browser for up to an hour. Put a reverse proxy before the app and set TRUSTED_PROXY_HOPS to " +
      "the number of proxies that add to X-Forwarded-For.",
  ];
}

export const env: Env = readEnv(process.env);

// next-auth reads its own variables on import.
process.env.NEXTAUTH_URL = env.APP_URL;
if (env.AUTH_SECRET) process.env.NEXTAUTH_SECRET = env.AUTH_SECRET;

// So does the OpenTelemetry SDK. What follows differs from its own defaults.
const OPENTELEMETRY = {
  OTEL_SERVICE_NAME: "content-planner",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "none",
  // Sites and providers are not told of our traces.
  OTEL_PROPAGATORS: "none",
  // A process's command line and owner are nobody's business.
  OTEL_NODE_RESOURCE_DETECTORS: "env,host",
};
if (env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  for (const [name, value] of Object.entries(OPENTELEMETRY)) process.env[name] ||= value;
}
