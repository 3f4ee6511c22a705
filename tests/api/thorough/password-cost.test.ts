import { hashPassword, verifyPassword } from "@/lib/auth/password";
import { createCaller } from "@/tests/support/app";
import { PASSWORD, registerUser } from "@/tests/support/factories";

// Counts the real calls while they run.
const mockRunning = { now: 0, most: 0, calls: 0 };
jest.mock("@node-rs/argon2", () => {
  const argon2 = jest.requireActual<typeof import("@node-rs/argon2")>("../../../node_modules/@node-rs/argon2");
  async function counted<T>(call: Promise<T>): Promise<T> {
    mockRunning.calls++;
    mockRunning.most = Math.max(mockRunning.most, ++mockRunning.now);
    return call.finally(() => mockRunning.now--);
  }
  return {
    hash: (...args: Parameters<typeof argon2.hash>) => counted(argon2.hash(...args)),
    verify: (...args: Parameters<typeof argon2.verify>) => counted(argon2.verify(...args)),
  };
});

const SIGN_INS = 40;
const MEBIBYTE = 2 ** 20;

beforeEach(() => Object.assign(mockRunning, { now: 0, most: 0, calls: 0 }));

/** The maximum growth of the process while this runs. */
async function growth(during: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 2);
  await during();
  clearInterval(timer);
  return Math.round((most - before) / MEBIBYTE);
}

it("hashes at most four passwords at once: forty sign-ins wait and all get a response", async () => {
  const { username } = await registerUser();
  Object.assign(mockRunning, { most: 0, calls: 0 });
  const attempts = Array.from({ length: SIGN_INS }, (_, n) => (n % 2 ? PASSWORD : "not it at all"));
  const statuses: number[] = [];
  const mebibytes = await growth(async () => {
    const send = (password: string) => createCaller().post("/api/login", { username, password });
    statuses.push(...(await Promise.all(attempts.map(send))).map(({ status }) => status));
  });
  expect(statuses).toEqual(attempts.map((password) => (password === PASSWORD ? 200 : 401)));
  // One more, because the dummy is hashed before the process's first verification.
  expect(mockRunning).toMatchObject({ most: 4, now: 0, calls: SIGN_INS + 1 });
  process.stdout.write(
    `argon2id: ${SIGN_INS} sign-ins at once, ${mockRunning.most} verified at once, +${mebibytes} MiB\n`,
  );
});

it("counts hashing and verifying together, and continues after a failure", async () => {
  const calls = Array.from({ length: 24 }, (_, n) => {
    if (n % 3 === 0) return hashPassword(`a long phrase ${n}`);
    return verifyPassword(n % 3 === 1 ? null : "no hash at all", "a long phrase");
  });
  const answers = await Promise.allSettled(calls);
  // The library refuses an invalid hash, and its place is freed.
  expect(answers.filter(({ status }) => status === "rejected")).toHaveLength(8);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(16);
  expect(mockRunning).toMatchObject({ most: 4, now: 0 });
});

it("stores argon2id with 64 MiB, three passes and one lane, and takes the right password alone", async () => {
  const stored = await hashPassword("a long phrase");
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  expect(await verifyPassword(stored, "a long phrase")).toBe(true);
  expect(await verifyPassword(stored, "another phrase")).toBe(false);
  for (const none of [null, undefined]) expect(await verifyPassword(none, "no account has this one")).toBe(false);
});
