import { register } from "@/instrumentation";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { guardServer } from "@/lib/transport/server/guard";

jest.mock("@/lib/env", () => ({ ...jest.requireActual("@/lib/env"), env: { ...jest.requireActual("@/lib/env").env } }));
jest.mock("@/lib/log", () => ({ log: { warn: jest.fn() } }));
jest.mock("@/lib/utils/broken-pipe", () => ({ ignoreBrokenPipe: jest.fn() }));
jest.mock("@/lib/transport/server/guard", () => ({ guardServer: jest.fn() }));
jest.mock("@/lib/transport/launcher", () => ({ exitWithLauncher: jest.fn() }));
jest.mock("@/lib/telemetry/start", () => ({ startTelemetry: jest.fn() }));
jest.mock("@/lib/telemetry/gauges", () => ({ observeGauges: jest.fn() }));
jest.mock("@/lib/features/work/reads", () => ({ queueDepth: jest.fn() }));
jest.mock("@/lib/events/presence", () => ({ enginePresence: jest.fn() }));
jest.mock("@/lib/events/registration", () => ({ keepRegistered: () => undefined }));
jest.mock("@/lib/features/work/writes/sending", () => ({ resumeAfterOutage: async () => undefined }));

const ON_THIS_MACHINE = {
  deployed: false,
  HOST: "127.0.0.1",
  TRUSTED_PROXY_HOPS: 0,
  BOOT_ID: undefined,
  INNGEST_DEV: undefined,
};

/** The warnings logged when the app starts with these values. */
async function warningsOf(values: object): Promise<unknown[]> {
  process.env.NEXT_RUNTIME = "nodejs";
  Object.assign(env, ON_THIS_MACHINE, values);
  jest.mocked(log.warn).mockClear();
  await register();
  return jest.mocked(log.warn).mock.calls.flat();
}

it("warns at startup when other machines reach the app and no proxy is trusted", async () => {
  expect(await warningsOf({ HOST: "0.0.0.0" })).toEqual([expect.stringMatching(/^TRUSTED_PROXY_HOPS is 0/)]);
  expect(await warningsOf({ HOST: "0.0.0.0", TRUSTED_PROXY_HOPS: 1 })).toEqual([]);
  expect(await warningsOf({})).toEqual([]);
});

it("does not repeat the warning that the launcher has already printed", async () => {
  expect(await warningsOf({ HOST: "0.0.0.0", BOOT_ID: "5c1f3f0e-93a1-4c55-8a0b-2f8f5d1f0c11" })).toEqual([]);
});

it.each([
  ["its own server", undefined, false],
  ["Vercel's, whose times and shutdown are not ours", "1", true],
])("guards %s", async (_what, VERCEL, platform) => {
  await warningsOf({ VERCEL });
  expect(guardServer).toHaveBeenLastCalledWith({ platform });
});

it("starts OpenTelemetry only if a collector is configured", async () => {
  const { startTelemetry } = await import("@/lib/telemetry/start");
  await warningsOf({});
  expect(startTelemetry).not.toHaveBeenCalled();
  await warningsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" });
  expect(startTelemetry).toHaveBeenCalledTimes(1);
  Object.assign(env, { OTEL_EXPORTER_OTLP_ENDPOINT: undefined });
});
