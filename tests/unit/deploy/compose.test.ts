import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { ENV_NAMES, readEnv, requireDeployable } from "@/lib/env";
import { OTHER_MAJORS } from "@/scripts/test-node-versions";

type Service = {
  image: string;
  environment?: Record<string, string>;
  env_file?: string;
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  command?: string | string[];
  depends_on?: Record<string, { condition: string }>;
};

const SECRETS = ["DATABASE_PASSWORD", "AUTH_SECRET", "ENCRYPTION_KEYS", "INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"];
const given = Object.fromEntries(SECRETS.map((name) => [name, `of ${name}`]));

/** compose.yaml with its variables replaced, as compose does it. */
function services(variables: Record<string, string | undefined>): Record<string, Service> {
  const text = readFileSync("compose.yaml", "utf8").replace(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string | undefined, rest: string) => {
      const value = variables[name];
      if (value) return value;
      if (kind === "?") throw new Error(`${name}: ${rest}`);
      return kind === "-" ? rest : "";
    },
  );
  return (parse(text, { merge: true }) as { services: Record<string, Service> }).services;
}

function service(name: string, variables: Record<string, string | undefined> = given): Service {
  const found = services(variables)[name];
  if (!found) throw new Error(`compose.yaml has no service ${name}.`);
  return found;
}

describe("compose.yaml", () => {
  it("gives a public app all that a deployment requires", () => {
    const { environment } = service("app", { ...given, APP_URL: "https://planner.example.com" });
    const values = readEnv(environment ?? {});
    expect(values.deployed).toBe(true);
    expect(() => requireDeployable(values)).not.toThrow();
  });

  it.each(SECRETS)("does not begin without %s, and says where it belongs", (name) => {
    expect(() => services({ ...given, [name]: undefined })).toThrow(`${name}: set it in .env, see docs/deploy.md`);
  });

  it("sets only variables that the app reads", () => {
    expect(Object.keys(service("app").environment ?? {}).filter((name) => !ENV_NAMES.includes(name))).toEqual([]);
  });

  it("tells the app that its database has no pooler, so that it listens", () => {
    const { environment } = service("app");
    expect(environment?.DIRECT_DATABASE_URL).toBe(environment?.DATABASE_URL);
  });

  it("gives the engine the app's keys, and the app the engine's address", () => {
    const [app, engine] = [service("app").environment, service("engine")];
    expect(engine.environment).toMatchObject({
      INNGEST_EVENT_KEY: app?.INNGEST_EVENT_KEY,
      INNGEST_SIGNING_KEY: app?.INNGEST_SIGNING_KEY,
    });
    expect(engine.command).toBe(`inngest start --sdk-url ${app?.INNGEST_SERVE_ORIGIN}/api/inngest`);
    expect(app?.INNGEST_BASE_URL).toBe("http://engine:8288");
    expect(app?.INNGEST_SERVE_ORIGIN).toBe("http://app:3000");
  });

  it("lets the app and its migrations write nowhere and have no privileges", () => {
    for (const name of ["app", "migrations"]) {
      expect(service(name)).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
    }
  });

  it("starts the app only on a migrated database", () => {
    expect(service("app").depends_on?.migrations?.condition).toBe("service_completed_successfully");
    expect(service("migrations").command).toEqual(["node", "commands.cjs", "migrate"]);
  });

  it("is reached from this machine only, and names the version of each image", () => {
    const all = Object.values(services(given));
    const ports = all.flatMap((one) => one.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
    const foreign = all.map(({ image }) => image).filter((image) => image !== "content-planner");
    expect(foreign.filter((image) => !/:v?\d/.test(image))).toEqual([]);
  });
});

describe("the Dockerfile", () => {
  const lines = readFileSync("Dockerfile", "utf8").split("\n");

  it("runs the newest Node.js that is tested", () => {
    expect(lines).toContain(`ARG NODE_IMAGE=docker.io/library/node:${Math.max(...OTHER_MAJORS)}-bookworm-slim`);
  });

  it("ends as an account without privileges", () => {
    expect(lines.filter((line) => line.startsWith("USER ")).at(-1)).toBe("USER node");
  });

  it("takes no secret and no data of the checkout into the image", () => {
    const ignored = readFileSync(".dockerignore", "utf8").split("\n");
    expect(ignored).toEqual(expect.arrayContaining([".env*", ".data", ".git"]));
  });
});
