import { hashPassword, verifyPassword } from "@/lib/auth/password";
import { createCaller } from "@/tests/support/app";
import { newRegistered, PASSWORD } from "@/tests/support/factories";

// Counted while they run; what they cost is real.
const mockRunning = { now: 0, most: 0, calls: 0 };
jest.mock("@node-rs/argon2", () => {
  const argon2 = jest.requireActual<typeof import("@node-rs/argon2")>("@node-rs/argon2");
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

/** How much the process grows at most while this runs. */
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

it("hashes four passwords at once at most: forty sign-ins wait and are all answered", async () => {
  const { username } = await newRegistered();
  Object.assign(mockRunning, { most: 0, calls: 0 });
  const attempts = Array.from({ length: SIGN_INS }, (_, n) => (n % 2 ? PASSWORD : "not it at all"));
  const statuses: number[] = [];
  const mebibytes = await growth(async () => {
    const send = (password: string) => createCaller().post("/api/login", { username, password });
    statuses.push(...(await Promise.all(attempts.map(send))).map(({ status }) => status));
  });
  expect(statuses).toEqual(attempts.map((password) => (password === PASSWORD ? 200 : 401)));
  // One more: the dummy is hashed before the first verification of a process.
  expect(mockRunning).toMatchObject({ most: 4, now: 0, calls: SIGN_INS + 1 });
  process.stdout.write(
    `argon2id: ${SIGN_INS} sign-ins at once, ${mockRunning.most} verified at once, +${mebibytes} MiB\n`,
  );
});

it("counts hashing and verifying as one, and goes on after one that fails", async () => {
  const calls = Array.from({ length: 24 }, (_, n) => {
    if (n % 3 === 0) return hashPassword(`a long phrase ${n}`);
    return verifyPassword(n % 3 === 1 ? null : "no hash at all", "a long phrase");
  });
  const answers = await Promise.allSettled(calls);
  // What is no hash is refused by the library, and its place is handed on.
  expect(answers.filter(({ status }) => status === "rejected")).toHaveLength(8);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(16);
  expect(mockRunning).toMatchObject({ most: 4, now: 0 });
});
