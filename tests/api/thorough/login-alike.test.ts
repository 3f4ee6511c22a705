import { randomUUID } from "node:crypto";
import { hashPassword } from "@/lib/auth/password";
import { callAction, wrapFormAction } from "@/tests/support/action-request";
import { type Answer, createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { newUser, PASSWORD } from "@/tests/support/factories";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);

// Counts the verifications, which take their real time.
const mockVerified = jest.fn();
jest.mock("@node-rs/argon2", () => {
  const argon2 = jest.requireActual<typeof import("@node-rs/argon2")>("../../../node_modules/@node-rs/argon2");
  return {
    hash: (password: string) => argon2.hash(password, { memoryCost: 8_192, timeCost: 3, parallelism: 1 }),
    hashSync: argon2.hashSync,
    verify: (...args: Parameters<typeof argon2.verify>) => {
      mockVerified();
      return argon2.verify(...args);
    },
  };
});

/** The reasons for a failed sign-in. */
const KINDS = ["unknown", "wrong", "disabled", "passwordless"] as const;
type Kind = (typeof KINDS)[number];

const ROUNDS = 200;
/** The two that a guesser would compare are timed in every round, the others in every fifth. */
const OFTEN: readonly Kind[] = ["unknown", "wrong"];
const RARE = 5;
const mark = `s10${randomUUID().slice(0, 8)}`;
const nameOf = (kind: Kind, n: number) => `${mark}.${kind}.${n}`;
const passwordFor = (kind: Kind) => (kind === "wrong" ? "not it at all" : PASSWORD);

beforeAll(async () => {
  const insert = `INSERT INTO users (username, password, disabled_at)
    SELECT $1 || n, $2, $3::timestamptz FROM generate_series(1, ${2 * ROUNDS}) n`;
  const hash = await hashPassword(PASSWORD);
  await query(insert, [`${mark}.wrong.`, hash, null]);
  await query(insert, [`${mark}.disabled.`, hash, new Date()]);
  await query(insert, [`${mark}.passwordless.`, null, null]);
  // The first use hashes the dummy, which should not be measured.
  await createCaller().post("/api/login", { username: nameOf("unknown", 0), password: PASSWORD });
});

/** The parts of a response that a caller can compare; the request's id always differs. */
function seen({ status, headers, body }: Answer<Record<string, unknown>>) {
  const { requestId: _, ...rest } = body;
  return { status, body: rest, headers: [...headers.keys()].sort() };
}

/** The number of verifications that a call runs. */
async function verifications(call: () => Promise<unknown>): Promise<number> {
  mockVerified.mockClear();
  await call();
  return mockVerified.mock.calls.length;
}

describe("S10: failed sign-ins are indistinguishable", () => {
  it("by route: in status, body, header names and number of verifications, up to the limit and beyond", async () => {
    const callers = Object.fromEntries(KINDS.map((kind) => [kind, createCaller()]));
    for (let attempt = 1; attempt <= 11; attempt++) {
      const answers = [];
      for (const kind of KINDS) {
        const input = { username: nameOf(kind, ROUNDS + 1), password: passwordFor(kind) };
        let answer: Answer<Record<string, unknown>> | undefined;
        const ran = await verifications(async () => {
          answer = await callers[kind]?.post("/api/login", input);
        });
        answers.push({ ...(answer && seen(answer)), ran });
      }
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]).toMatchObject(attempt <= 10 ? { status: 401, ran: 1 } : { status: 429, ran: 0 });
    }
  });

  it.each(["signInAction", "signInForm"] as const)(
    "by %s: the answer and one verification are the same",
    async (name) => {
      const actions = await import("@/lib/features/account/sign-in/actions");
      const action: (input: unknown) => Promise<{ ok: boolean }> =
        name === "signInForm" ? wrapFormAction(actions.signInForm) : actions.signInAction;
      const answers: unknown[] = [];
      for (const kind of KINDS) {
        const input = { username: nameOf(kind, ROUNDS + (name === "signInForm" ? 2 : 3)), password: passwordFor(kind) };
        let outcome: Record<string, unknown> = {};
        const ran = await verifications(async () => {
          const { answer, cookies } = await callAction(() => action(input), { address: `10.79.${answers.length}.1` });
          const { requestId: _, ...error } = (answer as unknown as { error: Record<string, unknown> }).error;
          outcome = { ok: answer.ok, error, cookies };
        });
        answers.push({ ...outcome, ran });
      }
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]).toMatchObject({ ok: false, ran: 1, error: { type: "UNAUTHENTICATED" }, cookies: {} });
    },
  );

  it("in time (n = 200, interleaved; printed)", async () => {
    const times: Record<Kind, number[]> = { unknown: [], wrong: [], disabled: [], passwordless: [] };
    const statuses = new Set<number>();
    for (let n = 1; n <= ROUNDS; n++) {
      for (const kind of n % RARE === 0 ? KINDS : OFTEN) {
        const caller = createCaller();
        const input = { username: nameOf(kind, n), password: passwordFor(kind) };
        const begun = process.hrtime.bigint();
        const { status } = await caller.post("/api/login", input);
        times[kind].push(Number(process.hrtime.bigint() - begun) / 1e6);
        statuses.add(status);
      }
    }
    expect([...statuses]).toEqual([401]);
    const shown = KINDS.map((kind) => `${kind} ${spread(times[kind])} of ${times[kind].length}`).join(", ");
    process.stdout.write(`S10 login, n = ${ROUNDS}: ${shown} (median, p10–p90)\n`);
  }, 240_000);
});

describe("S10: registering", () => {
  it("reveals taken names only twenty times an hour per address", async () => {
    const { username } = await newUser();
    const caller = createCaller();
    const ask = (name: string) => caller.post("/api/register", { username: name, password: PASSWORD });
    for (let n = 0; n < 20; n++) expect((await ask(username)).body.type).toBe("DUPLICATE");
    const [taken, free] = [seen(await ask(username)), seen(await ask(`${mark}.free`))];
    expect(taken).toEqual(free);
    expect(taken).toMatchObject({ status: 429, body: { type: "RATE_LIMITED" } });
  });
});

function spread(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1);
  return `${at(0.5)} ms (${at(0.1)}–${at(0.9)})`;
}
