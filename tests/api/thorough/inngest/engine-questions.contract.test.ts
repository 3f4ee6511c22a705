import { cancelRun, type EngineApi, EngineAway, findRun, runsOfEvent } from "@/lib/events/engine";
import { contractSuite, until } from "@/tests/support/inngest-contract";

// What the app asks the engine over its REST API, of the embedded engine or of a real server (INNGEST_CONTRACT_URL).

const { serve, harness } = contractSuite();

beforeEach(async () => {
  await serve((inngest, name) => [
    inngest.createFunction({ id: "echo", triggers: [{ event: name("go") }] }, async ({ event }) => event.data),
    inngest.createFunction({ id: "sleeper", triggers: [{ event: name("sleep") }] }, async ({ step }) => {
      await step.sleep("wait", "1h");
    }),
  ]);
});

function api(over: Partial<EngineApi> = {}): EngineApi {
  return { url: harness().url, signingKey: harness().signingKey, fetch, ...over };
}

/** An API that gives this response to every request. */
function answering(status: number, body: unknown): EngineApi {
  return api({ fetch: async () => new Response(typeof body === "string" ? body : JSON.stringify(body), { status }) });
}

it("finds a run by its id and by its event, with its status", async () => {
  const done = await harness().run("go", { n: 1 });
  expect(await findRun(done.run_id, api())).toEqual({ runId: done.run_id, status: "Completed" });

  const event = await harness().send("sleep");
  await until(async () => (await runsOfEvent(event, api())).length === 1);
  expect(await runsOfEvent(event, api())).toEqual([{ runId: expect.any(String), status: "Running" }]);
});

it("cancels a run by its id", async () => {
  const event = await harness().send("sleep");
  await until(async () => (await runsOfEvent(event, api())).length === 1);
  for (const { runId } of await runsOfEvent(event, api())) await cancelRun(runId, api());
  expect(await harness().ended(event)).toMatchObject([{ status: "Cancelled" }]);
});

it("finds nothing for a run or an event that the engine does not have", async () => {
  expect(await findRun("01HZ0000000000000000000000", api())).toBeUndefined();
  expect(await runsOfEvent("01HZ0000000000000000000000", api())).toEqual([]);
});

it.each([
  ["404", answeringOf(404, { error: "run not found" })],
  ["500, as Inngest's own servers do", answeringOf(500, { error: "Unable to load function run: 01HZ", status: 500 })],
  ["400, as for an id of another shape", answeringOf(400, { error: "Invalid run ID: x", status: 400 })],
])("treats %s as an unknown run", async (_, engine) => {
  expect(await findRun("x", engine())).toBeUndefined();
  expect(await cancelRun("x", engine())).toBeUndefined();
});

it.each([
  ["refuses the connection", () => api({ url: "http://127.0.0.1:9" })],
  ["answers 502", answeringOf(502, "<html>")],
  ["answers 429", answeringOf(429, "")],
  ["answers with an HTML page", answeringOf(200, "<html>")],
])("reports that the engine is away when it %s", async (_, engine) => {
  for (const ask of [cancelRun, findRun, runsOfEvent]) {
    await expect(ask("x", engine())).rejects.toThrow(EngineAway);
  }
});

it("does not treat a refused key as an engine that is away", async () => {
  const refused = await findRun("x", answering(401, "")).catch((error: unknown) => error);
  expect(refused).not.toBeInstanceOf(EngineAway);
  expect(refused).toMatchObject({ message: "The job engine answered GET /v1/runs/x with 401." });
});

it("treats an unknown state as a live run", async () => {
  const engine = answering(200, { data: { run_id: "x", status: "Scheduled" } });
  expect(await findRun("x", engine)).toEqual({ runId: "x", status: "Running" });
});

it("sends the hash of the signing key and its environment, with a timeout of three seconds", async () => {
  const seen: { headers: Record<string, string>; signal: AbortSignal }[] = [];
  const timeout = jest.spyOn(AbortSignal, "timeout");
  const engine = api({
    signingKey: "signkey-branch-00ff",
    environment: "preview",
    fetch: async (_, init) => {
      seen.push(init);
      return new Response("", { status: 404 });
    },
  });
  await findRun("x", engine);
  expect(seen).toMatchObject([
    {
      headers: {
        // The SHA-256 of the bytes 00 ff.
        authorization: "Bearer signkey-branch-06eb7d6a69ee19e5fbdf749018d3d2abfa04bcbd1365db312eb86dc7169389b8",
        "x-inngest-env": "preview",
      },
    },
  ]);
  expect(timeout).toHaveBeenCalledWith(3000);
  timeout.mockRestore();
});

function answeringOf(status: number, body: unknown): () => EngineApi {
  return () => answering(status, body);
}
