import { readFileSync } from "node:fs";
import tls from "node:tls";
import { ENV_NAMES, isLoopback, PLATFORM_NAMES, readEnv, requireDeployable, startupWarnings } from "@/lib/env";

const DEPLOYED = {
  APP_URL: "https://planner.example.com",
  DATABASE_URL: "postgresql://db/planner",
  AUTH_SECRET: "secret",
  ENCRYPTION_KEYS: "k1:key",
  INNGEST_EVENT_KEY: "event",
  INNGEST_SIGNING_KEY: "signkey",
};

describe(".env.example", () => {
  const text = readFileSync(".env.example", "utf8");
  const listed = [...text.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]);

  it("lists exactly the variables that can be set", () => {
    const platform: readonly string[] = PLATFORM_NAMES;
    expect([...listed].sort()).toEqual(ENV_NAMES.filter((name) => !platform.includes(name)).sort());
  });

  it("explains each variable above its line and gives none a value", () => {
    const lines = text.split("\n");
    for (const name of listed) {
      const at = lines.indexOf(`${name}=`);
      expect(at).toBeGreaterThan(0);
      // Related names share one comment.
      let above = at - 1;
      while (/^[A-Z_]+=$/.test(lines[above] ?? "")) above--;
      expect(lines[above]).toMatch(/^# /);
    }
  });

  it("starts the app when copied unchanged", () => {
    const copied = Object.fromEntries(listed.map((name) => [name, ""]));
    expect(readEnv(copied)).toEqual(readEnv({}));
  });
});

describe("readEnv", () => {
  it("needs nothing on a local machine", () => {
    const values = readEnv({});
    expect(values).toMatchObject({ PORT: 3000, HOST: "127.0.0.1", APP_URL: "http://localhost:3000", deployed: false });
    expect(values.DATABASE_URL).toBeUndefined();
  });

  it("follows the port when no address is set", () => {
    expect(readEnv({ PORT: "4100" }).APP_URL).toBe("http://localhost:4100");
  });

  it("names every invalid variable in one sentence", () => {
    expect(() => readEnv({ PORT: "many", LOG_LEVEL: "loud" })).toThrow(
      /LOG_LEVEL .*PORT .*\.env\.example explains each/,
    );
  });

  it("waits up to 30 seconds for the answer to a write, by default 20", () => {
    const read = (value: string) => readEnv({ WORDPRESS_WRITE_TIMEOUT_SECONDS: value }).WORDPRESS_WRITE_TIMEOUT_SECONDS;
    expect([read(""), read("1"), read("30")]).toEqual([20, 1, 30]);
    for (const wrong of ["0", "31", "2.5"]) expect(() => read(wrong)).toThrow("WORDPRESS_WRITE_TIMEOUT_SECONDS");
  });

  it("refuses an address without a scheme and cuts off a path", () => {
    expect(() => readEnv({ APP_URL: "planner.example.com" })).toThrow("APP_URL must be a full address");
    expect(readEnv({ APP_URL: "https://planner.example.com/start" }).APP_URL).toBe("https://planner.example.com");
  });

  it("counts as deployed when the address is not this machine's", () => {
    expect(readEnv({ APP_URL: "http://192.168.1.10:3000" }).deployed).toBe(true);
    expect(readEnv({ APP_URL: "http://127.0.0.1:4000" }).deployed).toBe(false);
  });
});

describe("APP_URL on Vercel", () => {
  const vercel = {
    VERCEL: "1",
    VERCEL_URL: "planner-abc.vercel.app",
    VERCEL_BRANCH_URL: "planner-git-idea.vercel.app",
    VERCEL_PROJECT_PRODUCTION_URL: "planner.example.com",
  };

  it("is the production address in production", () => {
    expect(readEnv({ ...vercel, VERCEL_ENV: "production" })).toMatchObject({
      APP_URL: "https://planner.example.com",
      deployed: true,
    });
  });

  it("is the branch's address in a preview, else the deployment's", () => {
    expect(readEnv({ ...vercel, VERCEL_ENV: "preview" }).APP_URL).toBe("https://planner-git-idea.vercel.app");
    expect(readEnv({ ...vercel, VERCEL_ENV: "preview", VERCEL_BRANCH_URL: "" }).APP_URL).toBe(
      "https://planner-abc.vercel.app",
    );
  });

  it("is the configured address if there is one", () => {
    expect(readEnv({ ...vercel, VERCEL_ENV: "production", APP_URL: "https://own.example" }).APP_URL).toBe(
      "https://own.example",
    );
  });
});

describe("INNGEST_SERVE_ORIGIN", () => {
  it("is reduced to its origin", () => {
    const { INNGEST_SERVE_ORIGIN } = readEnv({ INNGEST_SERVE_ORIGIN: "http://app.internal:3000/api/inngest?x=1" });
    expect(INNGEST_SERVE_ORIGIN).toBe("http://app.internal:3000");
  });

  it.each(["app.internal", "ftp://app.internal", "javascript:alert(1)"])("cannot be %s", (value) => {
    expect(() => readEnv({ INNGEST_SERVE_ORIGIN: value })).toThrow("INNGEST_SERVE_ORIGIN");
  });
});

describe("INNGEST_DEV", () => {
  it.each([
    ["another machine's address", { INNGEST_DEV: "http://10.0.0.9:8288" }],
    ["an app that other machines reach", { INNGEST_DEV: "1", HOST: "0.0.0.0" }],
    ["an app on a network address", { INNGEST_DEV: "http://127.0.0.1:8288", HOST: "192.168.1.10" }],
  ])("is refused with %s", (_what, values) => {
    expect(() => requireDeployable(readEnv(values))).toThrow("INNGEST_DEV");
  });

  it.each([
    { INNGEST_DEV: "1" },
    { INNGEST_DEV: "http://localhost:8288", HOST: "::1" },
    { INNGEST_DEV: "127.0.0.1:8288", HOST: "localhost" },
    { INNGEST_DEV: "0", HOST: "0.0.0.0" },
  ])("is accepted with %p", (values) => {
    expect(() => requireDeployable(readEnv(values))).not.toThrow();
  });
});

describe("isLoopback", () => {
  it.each([
    "http://localhost:3000",
    "http://app.localhost",
    "http://127.0.0.1",
    "http://127.9.9.9:80",
    "http://[::1]:3000",
  ])("counts %s as this machine", (address) => expect(isLoopback(new URL(address))).toBe(true));

  it.each([
    "https://example.com",
    "http://localhost.example.com",
    "http://10.0.0.1",
    "http://0.0.0.0",
    "http://128.0.0.1",
  ])("counts %s as another machine", (address) => expect(isLoopback(new URL(address))).toBe(false));
});

describe("DATABASE_CA", () => {
  const [pem = ""] = tls.rootCertificates;

  it("is a certificate in PEM form, also with line breaks as two characters", () => {
    for (const given of [pem, pem.replaceAll("\n", "\\n")])
      expect(readEnv({ DATABASE_CA: given }).DATABASE_CA).toBe(given);
    expect(readEnv({ DATABASE_CA: " " }).DATABASE_CA).toBeUndefined();
  });

  it.each(["/etc/ssl/ca.pem", pem.slice(0, -40)])("cannot be %p", (given) => {
    expect(() => readEnv({ DATABASE_CA: given })).toThrow("DATABASE_CA (no certificate in PEM form)");
  });
});

describe("startupWarnings", () => {
  it("say of a path in APP_URL that it is ignored now and refused by the next release", () => {
    const warnings = startupWarnings(
      readEnv({ ...DEPLOYED, APP_URL: "https://x.example/planner", TRUSTED_PROXY_HOPS: "1" }),
    );
    expect(warnings).toEqual([
      "APP_URL has a path (/planner), which is ignored: the app serves https://x.example. From the next release a deployment " +
        "whose APP_URL has a path does not start. Set APP_URL to https://x.example.",
    ]);
    expect(startupWarnings(readEnv({ APP_URL: "http://localhost:3000/" }))).toEqual([]);
  });

  it.each([
    [{ DATABASE_URL: "postgresql://u:secret@db/planner?sslmode=no-verify" }, "DATABASE_URL: "],
    [{ DIRECT_DATABASE_URL: "postgresql://u:secret@db/planner?ssl=no-verify" }, "DIRECT_DATABASE_URL: "],
    [
      {
        DATABASE_URL: "postgresql://u:secret@pooler/planner?sslmode=no-verify",
        DIRECT_DATABASE_URL: "postgresql://u:secret@db/planner?sslmode=no-verify",
      },
      "DATABASE_URL and DIRECT_DATABASE_URL: ",
    ],
  ])("name the address whose server nobody verifies (%#)", (values, names) => {
    const [warning, ...others] = startupWarnings(readEnv(values));
    expect(others).toEqual([]);
    expect(warning).toMatch(
      /^[A-Z_ and]+: the connection is encrypted, but nothing verifies the server \(sslmode=no-verify\)/,
    );
    expect(warning).toMatch(new RegExp(`^${names}`));
    expect(warning).toContain("Set DATABASE_CA or sslrootcert");
    expect(warning).not.toContain("secret");
  });

  it.each([
    ["a deployment", DEPLOYED],
    ["an app that other machines reach", { HOST: "0.0.0.0" }],
    ["an app on every IPv6 address", { HOST: "::" }],
    ["an app on a network address", { HOST: "192.168.1.10" }],
    ["hops set to 0", { ...DEPLOYED, TRUSTED_PROXY_HOPS: "0" }],
  ])("name TRUSTED_PROXY_HOPS and what to do for %s", (_what, values) => {
    const [warning, ...others] = startupWarnings(readEnv(values));
    expect(others).toEqual([]);
    expect(warning).toMatch(/^TRUSTED_PROXY_HOPS is 0, .*\. Put .* proxy .* set TRUSTED_PROXY_HOPS to .*\.$/);
    expect(warning).not.toContain("\n");
  });

  it.each([
    ["a local machine", {}],
    ["an app on ::1", { HOST: "::1" }],
    ["a trusted proxy", { ...DEPLOYED, HOST: "0.0.0.0", TRUSTED_PROXY_HOPS: "1" }],
    ["a database that is verified", { DATABASE_URL: "postgresql://db/planner?sslmode=require" }],
    ["Vercel, whose header is trusted", { VERCEL: "1", VERCEL_URL: "planner.vercel.app" }],
  ])("are none for %s", (_what, values) => expect(startupWarnings(readEnv(values))).toEqual([]));
});

describe("requireDeployable", () => {
  it("requires nothing on a local machine", () => {
    expect(() => requireDeployable(readEnv({ RATE_LIMIT_SCALE: "50", INNGEST_DEV: "1" }))).not.toThrow();
  });

  it("lets a complete deployment start", () => {
    expect(() => requireDeployable(readEnv(DEPLOYED))).not.toThrow();
  });

  it("names all missing variables at once", () => {
    expect(() => requireDeployable(readEnv({ VERCEL: "1", VERCEL_URL: "x.vercel.app", AUTH_SECRET: "s" }))).toThrow(
      "lacks DATABASE_URL, ENCRYPTION_KEYS, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY.",
    );
  });

  it.each([
    ["RATE_LIMIT_SCALE", "2"],
    ["INNGEST_DEV", "1"],
  ])("refuses %s on a deployment", (name, value) => {
    expect(() => requireDeployable(readEnv({ ...DEPLOYED, [name]: value }))).toThrow(name);
  });

  it("refuses a preview that would take production's jobs", () => {
    const preview = { ...DEPLOYED, VERCEL: "1", VERCEL_ENV: "preview", VERCEL_URL: "x.vercel.app" };
    const production = `signkey-prod-${"ab".repeat(32)}`;
    expect(() => requireDeployable(readEnv({ ...preview, INNGEST_SIGNING_KEY: production }))).toThrow(
      "This preview has the signing key of Inngest's production environment",
    );
    const branch = `signkey-branch-${"ab".repeat(32)}`;
    expect(() => requireDeployable(readEnv({ ...preview, INNGEST_SIGNING_KEY: branch }))).not.toThrow();
    const live = { ...preview, VERCEL_ENV: "production", INNGEST_SIGNING_KEY: production };
    expect(() => requireDeployable(readEnv(live))).not.toThrow();
  });
});
