import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { NextRequest } from "next/server";
import { actorOfToken } from "@/lib/auth/actor";
import { openIntent, sealIntent } from "@/lib/auth/intent";
import { authOptions } from "@/lib/auth/options";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { admitGoogle, disconnectGoogle, type Visit } from "@/lib/features/account/writes/google";
import { serveNextAuth } from "@/lib/features/account/writes/google-flow";
import { countHits } from "@/lib/limits/limits";
import { query } from "@/tests/support/db";
import { newPerson, PASSWORD, type Person } from "@/tests/support/factories";

let addresses = 0;

/** A visit of somebody from an address of their own. */
function visit(rest: Partial<Visit> = {}): Visit {
  const origin = { requestId: "google", address: `10.66.${process.pid % 250}.${++addresses}` };
  return { origin, actor: undefined, token: undefined, intent: undefined, ...rest };
}

async function visitOf({ caller, id }: Person, purpose?: "connect" | "again"): Promise<Visit> {
  const token = caller.cookie()?.split("=")[1];
  const { origin } = visit();
  const found = await actorOfToken(token, origin);
  return { origin, token, actor: found?.actor, intent: purpose ? { purpose, userId: id } : undefined };
}

function identity(rest: object = {}) {
  const subject = `sub-${randomUUID()}`;
  return { subject, email: `${subject}@google.example`, isEmailVerified: true, ...rest };
}

async function personWith(email: string, state: { verified?: boolean; disabled?: boolean } = {}): Promise<Person> {
  const person = await newPerson();
  await query("UPDATE users SET email = $2, email_verified = $3, disabled_at = $4 WHERE id = $1", [
    person.id,
    email,
    state.verified ? new Date() : null,
    state.disabled ? new Date() : null,
  ]);
  return person;
}

const link = (id: string, subject: string) =>
  query("INSERT INTO accounts (user_id, type, provider, provider_account_id) VALUES ($1, 'oauth', 'google', $2)", [
    id,
    subject,
  ]);

async function accountsOf(id: string): Promise<string[]> {
  const rows = await query<{ id: string }>("SELECT provider_account_id AS id FROM accounts WHERE user_id = $1", [id]);
  return rows.map((row) => row.id);
}

const sessionsOf = (id: string) => query("SELECT id FROM sessions WHERE user_id = $1", [id]);
const actionsOf = async (id: string) =>
  (await query<{ action: string }>("SELECT action FROM audit_events WHERE user_id = $1 ORDER BY created_at", [id])).map(
    ({ action }) => action,
  );

describe("a Google account that nobody has here", () => {
  it("is let in when Google has confirmed its address and no account has it", async () => {
    expect(await admitGoogle(identity(), visit())).toBeUndefined();
    expect(await admitGoogle(identity({ isEmailVerified: false }), visit())).toBe("Unconfirmed");
    expect(await admitGoogle(identity({ email: null }), visit())).toBe("Unconfirmed");
  });

  it.each([
    ["both have verified the address", true, true, {}, undefined],
    ["we have not", true, false, {}, "Exists"],
    ["Google has not", false, true, {}, "Unconfirmed"],
    ["neither has", false, false, {}, "Unconfirmed"],
    ["the account is disabled", true, true, { disabled: true }, "Exists"],
  ] as const)(
    "joins the account with its address only if both sides verified it: %s",
    async (_case, theirs, ours, state, refusal) => {
      const google = identity({ isEmailVerified: theirs });
      const person = await personWith(google.email, { verified: ours, ...state });
      expect(await admitGoogle(google, visit())).toBe(refusal);
      expect(await accountsOf(person.id)).toEqual(refusal ? [] : [google.subject]);
      expect((await actionsOf(person.id)).includes("account.identity_connected")).toBe(refusal === undefined);
    },
  );

  it("is not joined to an account that another Google account is connected to: addresses are given away anew", async () => {
    const google = identity();
    const person = await personWith(google.email, { verified: true });
    await link(person.id, "the one before");
    expect(await admitGoogle(google, visit())).toBe("Exists");
    expect(await accountsOf(person.id)).toEqual(["the one before"]);
  });

  it("counts as a registration of its address: the 21st in an hour waits", async () => {
    const { origin } = visit();
    for (let n = 0; n < 20; n++) expect(await admitGoogle(identity(), visit({ origin }))).toBeUndefined();
    expect(await admitGoogle(identity(), visit({ origin }))).toBe("TooMany");
  });
});

describe("a Google account that is somebody's", () => {
  it("is let in whatever its address says now, and is not connected to the session this browser has", async () => {
    const google = identity({ email: null, isEmailVerified: false });
    const owner = await newPerson();
    await link(owner.id, google.subject);
    const before = await newPerson();
    expect(await admitGoogle(google, await visitOf(before))).toBeUndefined();
    expect(await accountsOf(before.id)).toEqual([]);
  });

  it("is kept out while the account is disabled", async () => {
    const google = identity();
    const owner = await personWith(google.email, { disabled: true });
    await link(owner.id, google.subject);
    expect(await admitGoogle(google, visit())).toBe("Disabled");
  });
});

describe("connecting from the settings", () => {
  it("connects any Google account that nobody has, keeps the session, and tells the trail once", async () => {
    const person = await newPerson();
    const google = identity({ isEmailVerified: false });
    expect(await admitGoogle(google, await visitOf(person, "connect"))).toBeUndefined();
    expect(await admitGoogle(google, await visitOf(person, "connect"))).toBeUndefined();
    expect(await accountsOf(person.id)).toEqual([google.subject]);
    expect(await sessionsOf(person.id)).toHaveLength(1);
    expect((await actionsOf(person.id)).filter((action) => action === "account.identity_connected")).toHaveLength(1);
  });

  it("refuses another person's, a second one, and a visit whose session has ended or is somebody else's", async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const google = identity();
    await link(other.id, google.subject);
    expect(await admitGoogle(google, await visitOf(person, "connect"))).toBe("ConnectedElsewhere");
    await link(person.id, "mine");
    expect(await admitGoogle(identity(), await visitOf(person, "connect"))).toBe("ConnectedAlready");
    const intent = { purpose: "connect", userId: person.id } as const;
    expect(await admitGoogle(identity(), visit({ intent }))).toBe("SessionEnded");
    expect(await admitGoogle(identity(), { ...(await visitOf(other)), intent })).toBe("SessionEnded");
    expect([await accountsOf(person.id), await accountsOf(other.id)]).toEqual([["mine"], [google.subject]]);
  });

  it("gives a Google account to one of two people who connect it at once", async () => {
    const people = await Promise.all([newPerson(), newPerson()]);
    const google = identity();
    const visits = await Promise.all(people.map((person) => visitOf(person, "connect")));
    const answers = await Promise.all(visits.map((one) => admitGoogle(google, one)));
    expect(answers.map(String).sort()).toEqual(["ConnectedElsewhere", "undefined"]);
    expect((await Promise.all(people.map(({ id }) => accountsOf(id)))).flat()).toEqual([google.subject]);
  });
});

describe("proving again who one is", () => {
  it("takes the connected account and no other", async () => {
    const person = await newPerson();
    const google = identity();
    expect(await admitGoogle(google, await visitOf(person, "again"))).toBe("AnotherAccount");
    await link(person.id, google.subject);
    expect(await admitGoogle(identity(), await visitOf(person, "again"))).toBe("AnotherAccount");
    expect(await sessionsOf(person.id)).toHaveLength(1);
    expect(await admitGoogle(google, await visitOf(person, "again"))).toBeUndefined();
  });
});

it("leaves a refused sign-in and a refused proof in the trail of the account they concern", async () => {
  const google = identity();
  const owner = await personWith(google.email);
  expect(await admitGoogle(google, visit())).toBe("Exists");
  expect(await actionsOf(owner.id)).toContain("session.sign_in_failed");
  const disabled = await personWith(identity().email, { disabled: true });
  await link(disabled.id, `disabled-${disabled.id}`);
  expect(await admitGoogle(identity({ subject: `disabled-${disabled.id}` }), visit())).toBe("Disabled");
  expect(await actionsOf(disabled.id)).toContain("session.sign_in_failed");
  const person = await newPerson();
  expect(await admitGoogle(identity(), await visitOf(person, "again"))).toBe("AnotherAccount");
  expect(await actionsOf(person.id)).toContain("account.proof_refused");
});

describe("disconnecting", () => {
  async function disconnect(person: Person, currentPassword?: string) {
    const { actor, token } = await visitOf(person);
    if (!actor) throw new Error("not signed in");
    return disconnectGoogle(actor, token, { currentPassword });
  }

  it("needs the password, and takes away this person's alone", async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    await link(person.id, `mine-${person.id}`);
    await link(other.id, `theirs-${other.id}`);
    for (const wrong of [undefined, "not it at all"]) await expect(disconnect(person, wrong)).rejects.toThrow(AppError);
    expect(await accountsOf(person.id)).toHaveLength(1);
    expect(await disconnect(person, PASSWORD)).toMatchObject({ isGoogleConnected: false, hasPassword: true });
    expect([await accountsOf(person.id), (await accountsOf(other.id)).length]).toEqual([[], 1]);
    expect(await actionsOf(person.id)).toContain("account.identity_disconnected");
  });

  it("leaves the only way in", async () => {
    const person = await newPerson();
    await link(person.id, `only-${person.id}`);
    await query("UPDATE users SET password = NULL WHERE id = $1", [person.id]);
    await expect(disconnect(person)).rejects.toThrow(/^Set a password first/);
    expect(await accountsOf(person.id)).toHaveLength(1);
  });
});

it("comes back to paths of this app alone", async () => {
  const options = authOptions({ admit: async () => false, signedIn: async () => undefined });
  const baseUrl = "http://localhost:3000";
  const back = (url: string) => options.callbacks?.redirect?.({ url, baseUrl });
  for (const own of ["/content?tab=a#b", `${baseUrl}/content?tab=a#b`]) {
    expect(await back(own)).toBe(`${baseUrl}/content?tab=a#b`);
  }
  for (const other of [
    "https://evil.example",
    "//evil.example",
    `${baseUrl}.evil.example/x`,
    "/api/user",
    "javascript:1",
  ]) {
    expect([other, await back(other)]).toEqual([other, `${baseUrl}/`]);
  }
});

it("does not ask Google for whoever has asked too often", async () => {
  const address = `10.67.0.${++addresses}`;
  const back = () =>
    serveNextAuth(
      new NextRequest("http://localhost:3000/api/auth/callback/google", { headers: { "x-forwarded-for": address } }),
      { params: Promise.resolve({ nextauth: ["callback", "google"] }) },
    );
  for (let n = 0; n < 200; n++) await countHits({ name: "googleAddress", subject: address });
  expect((await back()).headers.get("location")).toBe("/auth?error=TooOften");
});

describe("while the database is away", () => {
  function callNextAuth(...nextauth: string[]) {
    const headers = { cookie: `session=${"x".repeat(43)}; sign-in-next=http%3A%2F%2Flocalhost%3A3000%2Fcontent` };
    const request = new NextRequest(`http://localhost:3000/api/auth/${nextauth.join("/")}`, { headers });
    jest.spyOn(prisma, "$queryRaw").mockRejectedValueOnce(Object.assign(new Error("gone"), { code: "ECONNREFUSED" }));
    return serveNextAuth(request, { params: Promise.resolve({ nextauth }) });
  }

  it("leads whoever comes back from Google to the sign-in page with a sentence, and answers 503 elsewhere", async () => {
    const back = await callNextAuth("callback", "google");
    expect([back.status, back.headers.get("location")]).toEqual([302, "/auth?error=Failed&next=%2Fcontent"]);
    const session = await callNextAuth("session");
    expect([session.status, (await session.json()).type]).toEqual([503, "SERVICE_UNAVAILABLE"]);
  });
});

describe("what a person went to Google for", () => {
  const intent = { purpose: "connect", userId: "0b8f7f5e-5f0e-4a53-8d8a-3f1d0b0a7c11" } as const;

  it("comes back as it went", async () => {
    expect(await openIntent(await sealIntent(intent))).toEqual(intent);
  });

  it("is nothing when it is absent, forged, unsigned, changed or too old", async () => {
    const sealed = await sealIntent(intent);
    const [header, , signature] = sealed.split(".");
    const claims = Buffer.from(JSON.stringify({ purpose: "connect", sub: randomUUID(), exp: 4e9 })).toString(
      "base64url",
    );
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    const foreign = await new SignJWT({ purpose: "connect" })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(intent.userId)
      .setExpirationTime("15m")
      .sign(new TextEncoder().encode("somebody else's secret, 32 bytes long"));
    for (const cookie of [undefined, "", "x.y.z", `${header}.${claims}.${signature}`, `${none}.${claims}.`, foreign]) {
      expect(await openIntent(cookie)).toBeUndefined();
    }
    jest.useFakeTimers({ now: Date.now() + 16 * 60_000, doNotFake: ["nextTick", "setImmediate"] });
    expect(await openIntent(sealed)).toBeUndefined();
    jest.useRealTimers();
  });
});
