import type { ContentOut } from "@/lib/features/content/schema";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace, revisionsOf } from "@/tests/support/factories";

const FIELDS = ["title", "body", "outline"] as const;
type Field = (typeof FIELDS)[number];
type Refused = { type: string; error: string; current: ContentOut };

/** A piece open in two tabs; its last save is an hour old, so that later ones do not join it. */
async function openedTwice() {
  const workspace = await newWorkspace();
  const id = await newPiece(workspace, workspace, { title: "The title", body: "The body" });
  const url = `/api/content/${id}`;
  const opened = (await workspace.caller.patch<ContentOut>(url, { outline: "## The outline" })).body;
  const hourAgo = "created_at = created_at - interval '1 hour'";
  await query(`UPDATE content_revisions SET ${hourAgo} WHERE content_piece_id = $1`, [id]);
  return {
    opened,
    read: async () => (await workspace.caller.get<ContentOut>(url)).body,
    save: <T = ContentOut>(change: Record<string, unknown>) => workspace.caller.patch<T>(url, change),
    kept: async (field: Field) => (await revisionsOf(workspace, url)).map((row) => row[field]),
  };
}

describe.each(FIELDS)("two tabs and the %s", (field) => {
  it("save on the same version: the second is refused with the first one's text, and neither is lost", async () => {
    const { opened, read, save, kept } = await openedTwice();
    const first = await save({ [field]: "of the first tab", version: opened.version });
    expect([first.status, first.body[field]]).toEqual([200, "of the first tab"]);

    const second = await save<Refused>({ [field]: "of the second tab", version: opened.version });
    expect([second.status, second.body.type]).toEqual([409, "VERSION_CONFLICT"]);
    expect(second.body.error).toMatch(/both are kept/);
    expect(second.body.current).toEqual(first.body);
    expect(await read()).toEqual(first.body);
    expect(await kept(field)).toEqual(expect.arrayContaining([opened[field], "of the first tab", "of the second tab"]));

    // With the version it was shown, the second tab can continue.
    const again = await save({ [field]: "of both tabs", version: second.body.current.version });
    expect([again.status, again.body[field]]).toEqual([200, "of both tabs"]);
    // The text that it then replaces is kept too, although it is seconds old.
    expect(await kept(field)).toEqual(
      expect.arrayContaining([opened[field], "of the first tab", "of the second tab", "of both tabs"]),
    );
  });

  it("save ten times at once: one wins and all ten texts are kept", async () => {
    const { opened, read, save, kept } = await openedTwice();
    const texts = Array.from({ length: 10 }, (_, n) => `of writer ${n}`);
    const answers = await Promise.all(texts.map((text) => save({ [field]: text, version: opened.version })));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(await read()).toEqual(won[0]?.body);
    const found = new Set(await kept(field));
    expect([...texts, opened[field]].filter((text) => !found.has(text))).toEqual([]);
    if (field === "body") {
      const lost = texts.filter((text) => !found.has(text)).length;
      process.stdout.write(`two tabs: 10 concurrent saves, ${won.length} won, ${10 - lost} texts kept\n`);
    }
  });

  it("save without a version: the last wins, and the replaced text is kept", async () => {
    const { opened, save, kept } = await openedTwice();
    await save({ [field]: "of the first tab", version: opened.version });
    const last = await save({ [field]: "of a client without versions" });
    expect([last.status, last.body[field]]).toEqual([200, "of a client without versions"]);
    expect(await kept(field)).toEqual(expect.arrayContaining([opened[field], "of the first tab"]));

    const texts = Array.from({ length: 10 }, (_, n) => `of client ${n}`);
    const answers = await Promise.all(texts.map((text) => save({ [field]: text })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await kept(field)).toEqual(expect.arrayContaining(texts));
  });
});

describe("two tabs and different fields", () => {
  it("refuse a change of another field too, and keep the first tab's", async () => {
    const { opened, read, save, kept } = await openedTwice();
    await save({ body: "of the first tab", version: opened.version });
    const second = await save<Refused>({ title: "Of the second tab", version: opened.version });
    expect([second.status, second.body.current.body]).toEqual([409, "of the first tab"]);
    expect(await read()).toMatchObject({ title: "The title", body: "of the first tab" });
    expect(await kept("title")).toContain("Of the second tab");
  });

  it("treat a future version as a conflict", async () => {
    const { opened, read, save } = await openedTwice();
    expect((await save({ body: "from the future", version: opened.version + 1 })).status).toBe(409);
    expect(await read()).toEqual(opened);
  });

  it("create no version and no revision when nothing changed", async () => {
    const { opened, save, kept } = await openedTwice();
    const before = (await kept("body")).length;
    const same = await save({ body: opened.body, title: opened.title, version: opened.version });
    expect([same.status, same.body.version]).toEqual([200, opened.version]);
    expect(await kept("body")).toHaveLength(before);
  });
});
