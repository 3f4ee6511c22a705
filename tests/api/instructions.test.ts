import { TextWriter, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { removeDeleted } from "@/lib/features/deletion/steps";
import { MAX_INSTRUCTIONS, SAVED_INSTRUCTION_MAX } from "@/lib/features/instructions/rules";
import type { InstructionOut } from "@/lib/features/instructions/schema";
import { storageUsage } from "@/lib/limits/storage-quota";
import { deleteEverything, query } from "@/tests/support/db";
import { newUser, PASSWORD, type User } from "@/tests/support/factories";

type Refused = { type: string; error: string; fields?: Record<string, string[]> };

const URL = "/api/instructions";
const FULL = "You have 50 saved instructions, the maximum. Delete one you no longer need first.";
const KNOWN = "You have saved this instruction already.";

afterAll(deleteEverything);

async function save({ caller }: User, text: string): Promise<InstructionOut> {
  const { status, body } = await caller.post<InstructionOut>(URL, { text });
  expect(status).toBe(201);
  return body;
}

async function textsOf({ caller }: User): Promise<string[]> {
  return (await caller.get<InstructionOut[]>(URL)).body.map(({ text }) => text);
}

const fill = ({ id }: User, count: number) =>
  query("INSERT INTO saved_instructions (user_id, text) SELECT $1, 'Rule ' || n FROM generate_series(1, $2::int) n", [
    id,
    count,
  ]);

/** Characters that do not compress: an index would refuse this many of them. */
const incompressible = Array.from({ length: SAVED_INSTRUCTION_MAX }, (_, n) =>
  String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
).join("");

describe("saved instructions", () => {
  it("are trimmed and listed newest first, with emoji, line breaks and any script", async () => {
    const user = await newUser();
    expect(await textsOf(user)).toEqual([]);
    const first = await save(user, "  Address the reader as “you”.\nNo exclamation marks. \n");
    expect(first).toEqual({
      id: expect.any(Number),
      text: "Address the reader as “you”.\nNo exclamation marks.",
      createdAt: expect.any(String),
    });
    await save(user, "🌱".repeat(SAVED_INSTRUCTION_MAX));
    await save(user, "اكتب بالعربية");
    await save(user, incompressible);
    expect(await textsOf(user)).toEqual([
      incompressible,
      "اكتب بالعربية",
      "🌱".repeat(SAVED_INSTRUCTION_MAX),
      first.text,
    ]);
  });

  it("are changed and deleted, once", async () => {
    const user = await newUser();
    const { id } = await save(user, "Metric units.");
    const other = await save(user, "British English.");
    const changed = await user.caller.patch<InstructionOut>(`${URL}/${id}`, { text: " Metric units alone. " });
    expect(changed).toMatchObject({ status: 200, body: { id, text: "Metric units alone." } });
    // To itself, in another spelling.
    expect((await user.caller.patch(`${URL}/${id}`, { text: "metric  units ALONE." })).status).toBe(200);
    const known = await user.caller.patch<Refused>(`${URL}/${id}`, { text: "british\nEnglish." });
    expect(known).toMatchObject({ status: 409, body: { type: "DUPLICATE", error: KNOWN, fields: { text: [KNOWN] } } });
    expect((await user.caller.delete(`${URL}/${id}`)).status).toBe(204);
    const again = await user.caller.call<Refused>("DELETE", `${URL}/${id}`);
    expect(again).toMatchObject({ status: 404, body: { type: "NOT_FOUND" } });
    expect((await user.caller.patch(`${URL}/${id}`, { text: "Back again" })).status).toBe(404);
    expect(await textsOf(user)).toEqual([other.text]);
  });

  it("are refused blank, too long, missing or with half a character", async () => {
    const user = await newUser();
    const texts = [
      "",
      "  \n ",
      "x".repeat(SAVED_INSTRUCTION_MAX + 1),
      "🌱".repeat(SAVED_INSTRUCTION_MAX + 1),
      undefined,
      7,
      "\ud83c",
    ];
    for (const text of texts) {
      const answer = await user.caller.post<Refused>(URL, { text });
      expect([text, answer.status, answer.body.type]).toEqual([text, 400, "VALIDATION_ERROR"]);
      expect(answer.body.fields?.text).toHaveLength(1);
    }
    expect(await textsOf(user)).toEqual([]);
  });

  it("are each kept once, regardless of case and spacing, even when saved 20 times at once", async () => {
    const user = await newUser();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        user.caller.post<Refused>(URL, { text: n % 2 ? "No exclamation marks" : "no  Exclamation\nmarks" }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(19);
    for (const { body } of refused) {
      expect(body).toMatchObject({ type: "DUPLICATE", error: KNOWN, fields: { text: [KNOWN] } });
    }
    // Another user may have the same.
    await save(await newUser(), "No exclamation marks");
  });

  it("are at most 50 a user, exactly, against 60 calls at once", async () => {
    const user = await newUser();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => user.caller.post<Refused>(URL, { text: `Rule ${n}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_INSTRUCTIONS);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, body } of refused) {
      expect({ status, ...body }).toMatchObject({ status: 400, type: "VALIDATION_ERROR", error: FULL });
    }
    const list = await user.caller.get<InstructionOut[]>(URL);
    expect(list.body).toHaveLength(MAX_INSTRUCTIONS);
    expect((await user.caller.delete(`${URL}/${list.body[7]?.id}`)).status).toBe(204);
    await save(user, "One more");
  });

  it("are made once per Idempotency-Key, and a full list leaves the key free", async () => {
    const user = await newUser();
    await fill(user, MAX_INSTRUCTIONS);
    const key = { "idempotency-key": '"one intention"' };
    const body = { text: "Short sentences." };
    expect(await user.caller.post(URL, body, key)).toMatchObject({ status: 400, body: { error: FULL } });
    await query("DELETE FROM saved_instructions WHERE user_id = $1 AND text = 'Rule 1'", [user.id]);
    const [first, again] = [await user.caller.post(URL, body, key), await user.caller.post(URL, body, key)];
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(await user.caller.post(URL, { text: "Else" }, key)).toMatchObject({ body: { type: "KEY_REUSED" } });
    expect((await textsOf(user)).filter((text) => text === body.text)).toHaveLength(1);
  });

  it("of another user look like none", async () => {
    const [mine, theirs] = [await newUser(), await newUser()];
    const { id } = await save(theirs, "Theirs alone.");
    const never = 2_000_000_000;
    for (const call of [
      (of: number) => mine.caller.patch<Refused>(`${URL}/${of}`, { text: "Mine now" }),
      (of: number) => mine.caller.call<Refused>("DELETE", `${URL}/${of}`),
    ]) {
      const [foreign, missing] = [await call(id), await call(never)];
      expect(foreign.status).toBe(404);
      expect({ ...foreign.body, requestId: "" }).toEqual({ ...missing.body, requestId: "" });
    }
    expect(await textsOf(mine)).toEqual([]);
    expect(await textsOf(theirs)).toEqual(["Theirs alone."]);
  });

  it("are in their user's export", async () => {
    const user = await newUser();
    await save(await newUser(), "Somebody else's.");
    const saved = [await save(user, "First. 🌱"), await save(user, "Second.")];
    const zip = new Uint8Array(await (await user.caller.respond("GET", "/api/user/export")).arrayBuffer());
    const entries = await new ZipReader(new Uint8ArrayReader(zip)).getEntries();
    const read = async (name: string) => {
      const entry = entries.find(({ filename }) => filename === name);
      return entry && "getData" in entry ? ((await entry.getData?.(new TextWriter())) ?? "") : "";
    };
    expect(JSON.parse(await read("instructions.json"))).toEqual(saved.reverse());
    expect(await read("README.txt")).toContain("instructions.json");
  });

  it("go with the account, and with what they counted", async () => {
    const user = await newUser();
    await save(user, "Short sentences.");
    const gone = await user.caller.call("DELETE", "/api/user", { confirm: user.username, password: PASSWORD });
    expect(gone.status).toBe(204);
    await removeDeleted();
    const left = "SELECT 1 FROM saved_instructions WHERE user_id = $1 UNION ALL SELECT 1 FROM usage WHERE user_id = $1";
    expect(await query(left, [user.id])).toEqual([]);
  });

  it("count in the storage quota with 128 bytes each, and deleting them makes room", async () => {
    const user = await newUser();
    const stored = async () => (await storageUsage(user.id)).usedBytes;
    const before = await stored();
    const { id } = await save(user, "é🌱");
    expect((await stored()) - before).toBe(128 + 6);
    await user.caller.patch(`${URL}/${id}`, { text: "abc" });
    expect((await stored()) - before).toBe(128 + 3);
    await user.caller.delete(`${URL}/${id}`);
    expect(await stored()).toBe(before);
  });
});
