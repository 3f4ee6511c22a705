import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { postgresAccount } from "@/scripts/postgres-binaries";

export type Authority = { file: string; pem: string; sign(name: string, days?: number): Certificate };
/** Files in PEM. */
export type Certificate = { cert: string; key: string };

/** An authority that nobody trusts; its files are in `folder`. */
export function createAuthority(folder: string, name: string): Authority {
  const file = path.join(folder, `${name}.pem`);
  const key = path.join(folder, `${name}.key`);
  openssl(["req", "-x509", "-nodes", ...KEY, "-keyout", key, "-out", file, "-days", "2", "-subj", `/CN=${name}`]);
  return { file, pem: readFileSync(file, "utf8"), sign: (host, days = 1) => sign({ file, key }, folder, host, days) };
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
let signed = 0;

function sign(authority: { file: string; key: string }, folder: string, host: string, days: number): Certificate {
  const base = path.join(folder, `server-${++signed}`);
  const [request, extensions, cert, key] = [`${base}.csr`, `${base}.ext`, `${base}.pem`, `${base}.key`];
  openssl(["req", "-nodes", ...KEY, "-keyout", key, "-out", request, "-subj", `/CN=${host}`]);
  writeFileSync(extensions, `subjectAltName=${isIP(host) ? "IP" : "DNS"}:${host}\n`);
  const by = ["-CA", authority.file, "-CAkey", authority.key, "-CAcreateserial"];
  openssl(["x509", "-req", "-in", request, ...by, "-days", String(days), "-extfile", extensions, "-out", cert]);
  const { uid, gid } = postgresAccount();
  if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
  chmodSync(key, 0o600);
  return { cert, key };
}

function openssl(args: string[]): void {
  const made = spawnSync("openssl", args, { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`openssl ${args[0]} failed: ${made.error ?? made.stderr}`);
}
