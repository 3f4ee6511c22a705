import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { pruneExpired } from "@/lib/features/account/steps";
import {
  acquire,
  fence,
  LEASE_SECONDS,
  type Lease,
  type LeaseKind,
  leasedSql,
  release,
  renew,
  saveDraft,
} from "@/lib/lease/lease";
import { query } from "@/tests/support/db";
import { newPiece, newUser, newWorkspace } from "@/tests/support/factories";

const KIND = "ideas";

/** A subject of this user's; no rows if the user does not exist. */
const owned = (userId: string, subject: string) => Prisma.sql`
  SELECT ${subject}::text, id, NULL::uuid, NULL::uuid FROM users WHERE id = ${userId}::uuid`;

/** Does anyone hold an unexpired lease on it? */
const isHeld = async (kind: LeaseKind, subject: string) =>
  (await query("SELECT 1 FROM leases WHERE kind = $1 AND subject = $2 AND until > now()", [kind, subject])).length > 0;

/** Lets time pass for the rows. */
const jump = (subject: string, seconds: number) =>
  query("UPDATE leases SET until = until - make_interval(secs => $2) WHERE subject = $1", [subject, seconds]);

/** The current leases of these subjects. */
const rowsOf = (subjects: string[]) =>
  query<{ kind: string; subject: string; token: string; until: Date; boot_id: string | null }>(
    "SELECT kind, subject, token, until, boot_id FROM leases WHERE subject = ANY($1) ORDER BY kind, subject",
    [subjects],
  );

const fenced = (lease: Lease) => prisma.$transaction((db) => fence(db, lease));

type Step =
  | { act: "acquire" | "renew" | "release" | "write" | "die"; worker: number }
  | { act: "jump"; seconds: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        act: fc.constantFrom("acquire", "acquire", "renew", "release", "write", "write", "die"),
        worker: fc.nat(9),
      }),
    },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("jump" as const), seconds: fc.constantFrom(30, 89, 91) }) },
  ),
  { minLength: 10, maxLength: 60 },
) as fc.Arbitrary<Step[]>;

describe("the lease", () => {
  it("has one holder at a time among ten workers, with time jumps and dying workers", async () => {
    const { id: userId } = await newUser();
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const subject = randomUUID();
        const tokens = Array.from({ length: 10 }, () => randomUUID() as string);
        let row: { token: string; left: number } | undefined;
        for (const step of plan) {
          if (step.act === "jump") {
            await jump(subject, step.seconds);
            if (row) row.left -= step.seconds;
            continue;
          }
          const token = tokens[step.worker] ?? "";
          const lease = { kind: KIND, subject, token } as const;
          const isMine = row?.token === token;
          if (step.act === "die") {
            tokens[step.worker] = randomUUID();
          } else if (step.act === "acquire") {
            const isFree = row === undefined || isMine || row.left <= 0;
            expect(await acquire(KIND, owned(userId, subject), token)).toBe(isFree);
            if (isFree) row = { token, left: LEASE_SECONDS[KIND] };
          } else if (step.act === "renew") {
            expect(await renew(lease)).toBe(isMine);
            if (row && isMine) row.left = LEASE_SECONDS[KIND];
          } else if (step.act === "release") {
            await release(lease);
            if (isMine) row = undefined;
          } else {
            expect(await fenced(lease)).toBe(isMine);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it("goes to one worker when ten try to acquire it at once", async () => {
    const { id } = await newUser();
    const subject = randomUUID();
    const all = await Promise.all(Array.from({ length: 10 }, () => acquire(KIND, owned(id, subject), randomUUID())));
    expect(all.filter(Boolean)).toEqual([true]);
  });

  it("keeps its holder's draft while its job is watched, and no earlier holder's", async () => {
    const { id } = await newUser();
    const [subject, jobId] = [randomUUID() as string, randomUUID() as string];
    const lease = { kind: KIND, subject, token: randomUUID() } as const;
    const draft = async () => {
      const [row] = await query<{ draft: string | null }>("SELECT draft FROM leases WHERE subject = $1", [subject]);
      return row?.draft;
    };
    await acquire(KIND, owned(id, subject), lease.token);
    expect(await saveDraft(lease, "Soil", jobId)).toBe(false);
    await acquire("watching", owned(id, jobId), jobId);
    expect(await saveDraft({ ...lease, token: randomUUID() }, "Sand", jobId)).toBe(false);
    expect(await saveDraft(lease, "Soil", jobId)).toBe(true);
    expect(await draft()).toBe("Soil");
    await jump(jobId, LEASE_SECONDS.watching);
    expect(await saveDraft(lease, "Soil warms", jobId)).toBe(false);
    await jump(subject, LEASE_SECONDS[KIND]);
    await acquire(KIND, owned(id, subject), randomUUID());
    expect(await draft()).toBeNull();
  });

  it("cannot be taken during a fenced transaction, even after it has expired", async () => {
    const { id } = await newUser();
    const lease = { kind: KIND, subject: randomUUID(), token: randomUUID() } as const;
    await acquire(KIND, owned(id, lease.subject), lease.token);
    await jump(lease.subject, 1_000);
    const order: string[] = [];
    let taking: Promise<unknown> = Promise.resolve();
    await prisma.$transaction(async (db) => {
      expect(await fence(db, lease)).toBe(true);
      taking = acquire(KIND, owned(id, lease.subject), randomUUID()).then(() => order.push("taken"));
      // Waits until its statement is blocked by this transaction's lock.
      for (let isWaiting = false; !isWaiting; ) {
        const [row] = await query<{ n: number }>(
          "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INTO leases%'",
        );
        isWaiting = (row?.n ?? 0) > 0;
      }
      order.push("written");
    });
    await taking;
    expect(order).toEqual(["written", "taken"]);
  });

  it.each<[LeaseKind, number]>([
    ["writing", 300],
    ["publishing", 120],
    ["reply", 120],
    ["ideas", 90],
    ["keywords", 90],
    ["call", 90],
  ])("of %s lasts %d seconds from when it was taken or renewed, by the database's clock", async (kind, seconds) => {
    const { id } = await newUser();
    const lease = { kind, subject: randomUUID(), token: randomUUID() };
    const end = async (act: () => Promise<unknown>) => {
      const clock = async () => Number((await query<{ now: Date }>("SELECT now()"))[0]?.now);
      const before = await clock();
      await act();
      const [row] = await rowsOf([lease.subject]);
      const taken = Number(row?.until) - seconds * 1000;
      expect(taken).toBeGreaterThanOrEqual(before);
      expect(taken).toBeLessThanOrEqual(await clock());
    };
    await end(() => acquire(kind, owned(id, lease.subject), lease.token));
    await jump(lease.subject, 40);
    await end(() => renew(lease));
    await jump(lease.subject, 40);
    await end(() => acquire(kind, owned(id, lease.subject), lease.token));
  });

  it("is identified by kind, subject and token together, so that other leases are not affected", async () => {
    const { id } = await newUser();
    const [subject, otherSubject] = [randomUUID(), randomUUID()];
    const [token, otherToken] = [randomUUID(), randomUUID()];
    const mine = { kind: "keywords", subject, token } as const;
    const take = async (lease: Lease) => {
      expect(await acquire(lease.kind, owned(id, lease.subject), lease.token)).toBeDefined();
    };
    // The same token under another kind and for another subject, and another token for the same subject.
    await take({ kind: "ideas", subject, token });
    await take({ kind: "keywords", subject: otherSubject, token });
    await take({ kind: "call", subject, token: otherToken });
    const others = await rowsOf([subject, otherSubject]);
    const absent = async () => {
      expect(await renew(mine)).toBe(false);
      expect(await fenced(mine)).toBe(false);
      expect(await isHeld("keywords", subject)).toBe(false);
    };
    await absent();
    await take(mine);
    expect(await isHeld("keywords", subject)).toBe(true);
    for (const act of [renew, fenced, release]) {
      await act({ ...mine, token: otherToken });
      await act(mine);
      expect(
        (await rowsOf([subject, otherSubject])).filter(
          (row) => row.token !== token || row.kind !== "keywords" || row.subject !== subject,
        ),
      ).toEqual(others);
    }
    await absent();
  });

  it("is held until it expires or is released", async () => {
    const { id } = await newUser();
    const lease = { kind: KIND, subject: randomUUID(), token: randomUUID() } as const;
    const held = () => isHeld(KIND, lease.subject);
    expect(await held()).toBe(false);
    await acquire(KIND, owned(id, lease.subject), lease.token);
    expect(await held()).toBe(true);
    await jump(lease.subject, LEASE_SECONDS[KIND] + 1);
    expect(await held()).toBe(false);
    await renew(lease);
    expect(await held()).toBe(true);
    await release(lease);
    expect(await held()).toBe(false);
  });

  it("is found by kind and subject in a statement, expired or not", async () => {
    const { id } = await newUser();
    const lease = { kind: KIND, subject: randomUUID(), token: randomUUID() } as const;
    const isLeased = async (kind: LeaseKind, subject: string) =>
      (await prisma.$queryRaw<{ leased: boolean }[]>`SELECT ${leasedSql(kind, Prisma.sql`${subject}`)} AS leased`)[0]
        ?.leased;
    await acquire(KIND, owned(id, lease.subject), lease.token);
    await jump(lease.subject, LEASE_SECONDS[KIND] + 1);
    expect([
      await isLeased(KIND, lease.subject),
      await isLeased("keywords", lease.subject),
      await isLeased(KIND, randomUUID()),
    ]).toEqual([true, false, false]);
  });

  it("records the process that last took it, so that a supervisor can end a dead one's leases", async () => {
    const { id } = await newUser();
    const subject = randomUUID();
    const boots = [randomUUID(), randomUUID()];
    try {
      for (const boot of boots) {
        env.BOOT_ID = boot;
        await jump(subject, 1_000);
        await acquire(KIND, owned(id, subject), randomUUID());
        expect(await rowsOf([subject])).toMatchObject([{ boot_id: boot }]);
      }
    } finally {
      delete env.BOOT_ID;
    }
    await jump(subject, 1_000);
    await acquire(KIND, owned(id, subject), randomUUID());
    expect(await rowsOf([subject])).toMatchObject([{ boot_id: null }]);
  });

  it("cannot be acquired on another user's things", async () => {
    const nobody = randomUUID();
    expect(await acquire(KIND, owned(nobody, randomUUID()), randomUUID())).toBe(false);
  });

  it("is deleted with its subject and with the account; one without a row to follow is deleted after a day", async () => {
    const workspace = await newWorkspace();
    const piece = await newPiece(workspace, workspace);
    const ofPiece = Prisma.sql`SELECT id::text, user_id, id, NULL::uuid FROM content_pieces WHERE id = ${piece}::uuid`;
    const [session] = await query<{ id: string }>("INSERT INTO chat_sessions (user_id) VALUES ($1) RETURNING id", [
      workspace.id,
    ]);
    const chat = session?.id ?? "";
    const ofChat = Prisma.sql`SELECT id::text, user_id, NULL::uuid, id FROM chat_sessions WHERE id = ${chat}::uuid`;
    const old = randomUUID();
    const fresh = randomUUID();
    await acquire("publishing", ofPiece, randomUUID());
    await acquire("reply", ofChat, randomUUID());
    for (const subject of [old, fresh]) await acquire(KIND, owned(workspace.id, subject), randomUUID());
    const left = async () =>
      (await query<{ subject: string }>("SELECT subject FROM leases WHERE user_id = $1", [workspace.id])).map(
        ({ subject }) => subject,
      );
    await jump(old, 90_000);
    for (const subject of [piece, chat]) await jump(subject, 90_000);
    await pruneExpired();
    expect((await left()).sort()).toEqual([chat, fresh, piece].sort());
    await workspace.caller.delete(`/api/content/${piece}`);
    expect((await left()).sort()).toEqual([chat, fresh].sort());
    await query("DELETE FROM chat_sessions WHERE id = $1", [chat]);
    expect(await left()).toEqual([fresh]);
    await query("DELETE FROM users WHERE id = $1", [workspace.id]);
    expect(await left()).toEqual([]);
  });
});
