#!/usr/bin/env node
// Prisma's schema engine as `prisma migrate deploy` runs it, from the npm package of its WebAssembly build: the native one would
// have to be downloaded. It speaks JSON-RPC on its standard input and output, one message a line.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import tls from "node:tls";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as wasm from "@prisma/schema-engine-wasm/schema_engine_bg";

const CHAR = 18;
const TEXT = 25;

const words = process.argv.slice(2);
const { url } = JSON.parse(words[words.indexOf("--datasource") + 1]);

if (words.includes("can-connect-to-database")) await tryToConnect();

const engine = await startEngine();
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
let last = Promise.resolve();
const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  last = last.then(() => answer(JSON.parse(line)));
});
input.on("close", () => last.finally(() => process.exit(0)));

async function answer({ id, method, params }) {
  if (!method) return;
  try {
    send({ id, result: (await engine[method](params ?? {})) ?? {} });
  } catch (error) {
    const data = {
      is_panic: false,
      message: String(error.message ?? error),
      error_code: error.code ?? null,
      meta: null,
    };
    send({ id, error: { code: 4466, message: "An error happened. Check the data field for details.", data } });
  }
}

/** Prisma CLI reads the second line of the standard error. */
async function tryToConnect() {
  try {
    const connection = await new PrismaPg(connectionOf(url)).connect();
    await connection.executeScript("SELECT 1");
    process.exit(0);
  } catch (error) {
    const fields = {
      error_code: "P1011",
      message: `Error opening a TLS connection: ${error.cause?.reason ?? error.message}`,
    };
    process.stderr.write(`\n${JSON.stringify({ level: "ERROR", target: "schema_engine::logger", fields })}`);
    process.exit(1);
  }
}

async function startEngine() {
  const file = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const code = readFileSync(path.join(path.dirname(file), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(code, { "./schema_engine_bg.js": wasm });
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { message: "", set_message: (message) => console.error(message) };
  wasm.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const factory = new PrismaPg(connectionOf(url));
  const connect = factory.connect.bind(factory);
  factory.connect = async () => wholeScripts(await connect());
  return wasm.SchemaEngine.new({}, () => undefined, bindMigrationAwareSqlAdapterFactory(factory));
}

/**
 * Reads the TLS parameters as the native engine does (quaint/src/connector/postgres in prisma/prisma-engines): no other modes,
 * nothing verified unless `sslaccept` says so, and of `sslcert` the first certificate, besides those that OpenSSL knows.
 */
function connectionOf(address) {
  const connection = new URL(address);
  const taken = ["sslmode", "sslaccept", "sslcert"].map((name) => {
    const value = connection.searchParams.get(name);
    connection.searchParams.delete(name);
    return value;
  });
  const [mode, accept, file] = taken;
  const connectionString = connection.href;
  if (mode !== "require") return { connectionString, ssl: false };
  if (accept === null || accept === "accept_invalid_certs")
    return { connectionString, ssl: { rejectUnauthorized: false } };
  const known = process.env.SSL_CERT_FILE ? [readFileSync(process.env.SSL_CERT_FILE, "utf8")] : tls.rootCertificates;
  const first = file ? [readFileSync(file, "utf8").split(/(?<=-----END CERTIFICATE-----)/)[0]] : [];
  return { connectionString, ssl: { ca: [...known, ...first] } };
}

/**
 * The native engine sends a migration as it is; the adapter would split it at every semicolon. It also does not know PostgreSQL's
 * "char", which the engine asks for.
 */
function wholeScripts(connection) {
  const query = connection.client.query.bind(connection.client);
  connection.client.query = async (...given) => {
    const result = await query(...given);
    for (const field of result.fields ?? []) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
    return result;
  };
  connection.executeScript = async (script) => {
    await query(script);
  };
  return connection;
}
