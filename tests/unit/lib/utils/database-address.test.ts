import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import tls from "node:tls";
import { certificatesIn, databaseConfig, isUnverified, schemaEngineAddress } from "@/lib/utils/database-address";

const [CA = "", OTHER_CA = ""] = tls.rootCertificates;
const ADDRESS = "postgresql://planner:pass%23word@db.example.com:6432/planner";

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "database-address-"));
  file = path.join(folder, "ca.pem");
  writeFileSync(file, OTHER_CA);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `off` and `as PGSSLMODE says` aside, what is verified. */
function verified(parameters: string, ca?: string): string {
  const { ssl } = databaseConfig(`${ADDRESS}?${parameters}`, ca);
  if (ssl === undefined) return "as PGSSLMODE says";
  if (ssl === false) return "off";
  if (ssl.rejectUnauthorized === false) return "nothing";
  const whom = ssl.ca ? (ssl.ca === `${CA}\n` ? "DATABASE_CA" : "sslrootcert") : "public";
  return ssl.checkServerIdentity ? whom : `${whom}, name`;
}

describe("databaseConfig", () => {
  it.each([
    ["", "as PGSSLMODE says", "DATABASE_CA, name"],
    ["application_name=x", "as PGSSLMODE says", "DATABASE_CA, name"],
    ["sslmode=disable", "off", "off"],
    ["ssl=0", "off", "off"],
    ["sslmode=prefer", "public, name", "DATABASE_CA, name"],
    ["sslmode=require", "public, name", "DATABASE_CA, name"],
    ["ssl=true", "public, name", "DATABASE_CA, name"],
    ["sslmode=verify-ca", "public, name", "DATABASE_CA"],
    ["sslmode=verify-full", "public, name", "DATABASE_CA, name"],
    ["sslmode=mistyped", "public, name", "DATABASE_CA, name"],
    ["sslnegotiation=direct", "public, name", "DATABASE_CA, name"],
    ["sslmode=no-verify", "nothing", "nothing"],
    ["ssl=no-verify", "nothing", "nothing"],
    ["sslmode=require&sslrootcert=system", "public, name", "public, name"],
    ["sslmode=verify-ca&sslrootcert=system", "public, name", "public, name"],
    ["sslmode=require&uselibpqcompat=true", "nothing", "DATABASE_CA"],
    ["sslmode=prefer&uselibpqcompat=true", "nothing", "nothing"],
    ["sslmode=verify-full&uselibpqcompat=true", "public, name", "DATABASE_CA, name"],
  ])("%s verifies: %s; with DATABASE_CA: %s", (parameters, without, withCa) => {
    expect([verified(parameters), verified(parameters, CA)]).toEqual([without, withCa]);
  });

  it.each(["sslmode=require", "sslmode=prefer", ""])(
    "%s verifies with the file of sslrootcert, whatever DATABASE_CA says",
    (mode) => {
      expect(verified(`${mode}&sslrootcert=${file}`, CA)).toBe("sslrootcert, name");
      expect(databaseConfig(`${ADDRESS}?sslrootcert=${file}`, CA).ssl).toEqual({ ca: `${OTHER_CA}\n` });
    },
  );

  it("leaves the rest of the address as it is, for node-postgres to read", () => {
    const { connectionString } = databaseConfig(`${ADDRESS}?options=-c%20x%3D1&sslmode=require`, undefined);
    expect(connectionString).toBe(`${ADDRESS}?options=-c+x%3D1`);
    expect(databaseConfig("postgresql://planner:a b@/planner?sslmode=disable", undefined)).toEqual({
      connectionString: "postgresql://planner:a b@/planner",
      ssl: false,
    });
  });

  it("passes on that TLS begins at once, beside the authority", () => {
    expect(databaseConfig(`${ADDRESS}?sslnegotiation=direct`, CA)).toEqual({
      connectionString: ADDRESS,
      ssl: { ca: `${CA}\n` },
      sslnegotiation: "direct",
    });
  });

  it("shows the server the client's own certificate", () => {
    const key = path.join(folder, "client.key");
    writeFileSync(key, "key of the client");
    expect(databaseConfig(`${ADDRESS}?sslcert=${file}&sslkey=${key}`, undefined).ssl).toEqual({
      cert: OTHER_CA,
      key: "key of the client",
    });
  });

  it("says which file or text is of no use, without the address", () => {
    const none = path.join(folder, "none.pem");
    expect(() => databaseConfig(`${ADDRESS}?sslrootcert=${none}`, undefined)).toThrow(
      `sslrootcert in the address of the database names ${none}, which cannot be read (ENOENT).`,
    );
    writeFileSync(none, "nothing");
    expect(() => databaseConfig(`${ADDRESS}?sslrootcert=${none}`, undefined)).toThrow(
      `sslrootcert (${none}) has no certificate in PEM form that can be read.`,
    );
    expect(() => databaseConfig(`${ADDRESS}?sslmode=require`, "nothing")).toThrow("DATABASE_CA has no certificate");
  });
});

describe("schemaEngineAddress", () => {
  const engine = (parameters: string, ca?: string) => {
    const kept: string[] = [];
    const address = schemaEngineAddress(`${ADDRESS}?${parameters}`, ca, (pem) => `/kept/${kept.push(pem)}.pem`);
    return { parameters: address.slice(ADDRESS.length + 1), kept };
  };

  it.each([
    ["sslmode=require", "sslmode=require&sslaccept=strict"],
    ["sslmode=verify-full&schema=public", "schema=public&sslmode=require&sslaccept=strict"],
    ["sslmode=no-verify", "sslmode=require&sslaccept=accept_invalid_certs"],
    ["sslmode=disable", "sslmode=disable&sslaccept=accept_invalid_certs"],
    ["schema=public", "schema=public"],
  ])("turns %s into what Prisma's engine understands", (given, expected) => {
    expect(engine(given)).toEqual({ parameters: expected, kept: [] });
  });

  it("gives the engine a file with the authority", () => {
    const expected = "sslmode=require&sslaccept=strict&sslcert=%2Fkept%2F1.pem";
    expect(engine("sslmode=require", CA.replaceAll("\n", "\\n"))).toEqual({ parameters: expected, kept: [`${CA}\n`] });
    expect(engine(`sslmode=verify-ca&sslrootcert=${file}`)).toEqual({ parameters: expected, kept: [`${OTHER_CA}\n`] });
  });
});

describe("isUnverified", () => {
  it.each([
    ["sslmode=no-verify", true],
    ["ssl=no-verify", true],
    ["uselibpqcompat=true&sslmode=require", true],
    ["sslmode=require", false],
    ["sslmode=disable", false],
    ["", false],
  ])("%s: %s", (parameters, expected) => {
    expect(isUnverified(`${ADDRESS}?${parameters}`, undefined)).toBe(expected);
  });
});

describe("certificatesIn", () => {
  it("finds every certificate, with line breaks of either kind and text around", () => {
    const text = `# ours\n${CA}\n${OTHER_CA}\n`;
    expect(certificatesIn(text)).toEqual([CA, OTHER_CA]);
    expect(certificatesIn(text.replaceAll("\n", "\\n"))).toEqual([CA, OTHER_CA]);
    expect(certificatesIn(`${text.replaceAll("\n", "\r\n")}`)).toHaveLength(2);
  });

  it.each([
    ["an empty text", ""],
    ["a key", "-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----"],
    ["a certificate that was cut", CA.slice(0, -40)],
    ["a damaged one beside a good one", `${CA}\n${OTHER_CA.replace(/[A-Za-z]{20}/, "?")}`],
  ])("finds none in %s", (_what, text) => expect(certificatesIn(text)).toEqual([]));
});
