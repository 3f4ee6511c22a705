import { randomUUID } from "node:crypto";
import { TextWriter, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { parse as parseCsv } from "csv-parse/sync";
import { parse as parseYaml } from "yaml";
import { createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { newUser, PASSWORD } from "@/tests/support/factories";
import { newWorld, type World } from "@/tests/support/world";

const KEY = "sk-archive-test-key-0123456789";

/** Texts that break naive exports: front matter in the body, YAML in the title, every script, nothing at all. */
const TITLES = [
  'He said: "yes" — & no',
  "- [ ] : {a: b} # not a comment",
  "--- three dashes",
  "园艺入门：第一步",
  "البستنة للمبتدئين",
  "🌱🌱🌱",
  "../../etc/passwd",
  "CON",
  'a/b\\c:d*e?f"g<h>i|j',
  "null",
  "𝗛𝗼𝘄 ".repeat(60),
];
const BODIES = [
  "",
  "---\ntitle: not this one\n---\n\nText",
  "Plain.\n\n## Two\n\n- a\n- b\n",
  "  leading\r\nCRLF\n\n",
  "日本語\n🌱",
  "`---`",
];

async function download(world: Pick<World, "caller">) {
  const response = await world.caller.respond("GET", "/api/user/export");
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/zip",
    "content-disposition": expect.stringMatching(/^attachment; filename="content-planner-\d{4}-\d\d-\d\d\.zip"$/),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.any(String),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const files = new Map<string, string>();
  for (const entry of await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()) {
    if ("getData" in entry && entry.getData) files.set(entry.filename, await entry.getData(new TextWriter()));
  }
  return { bytes, files };
}

describe("GET /api/user/export", () => {
  it("is sent uncompressed to a client that accepts nothing else", async () => {
    const { caller } = await newUser();
    const types = [];
    for (const accept of ["application/octet-stream", "*/*"]) {
      const response = await caller.respond("GET", "/api/user/export", undefined, { accept });
      types.push(response.headers.get("content-type"));
      await response.arrayBuffer();
    }
    expect(types).toEqual(["application/octet-stream", "application/zip"]);
  });

  it("contains all 200 pieces of a project with outlines and revisions, character for character", async () => {
    const world = await newWorld();
    const other = await newWorld();
    await world.caller.patch("/api/user/settings", { openaiApiKey: KEY });
    const pieces = Array.from({ length: 200 }, (_, n) => ({
      title: `${TITLES[n % TITLES.length]} ${n}`,
      body: BODIES[n % BODIES.length],
      outline: n % 3 === 0 ? `## Outline ${n}` : null,
    }));
    await query(
      `INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, outline)
       SELECT $1, $2, $3, title, body, outline FROM jsonb_to_recordset($4::jsonb) AS piece (title text, body text, outline text)`,
      [world.id, world.projectId, world.topicId, JSON.stringify(pieces)],
    );
    const { files } = await download(world);
    const rows = await query<{ id: string; title: string; body: string; outline: string | null; status: string }>(
      "SELECT id, title, body, outline, status::text FROM content_pieces WHERE user_id = $1",
      [world.id],
    );
    expect(rows.length).toBeGreaterThan(200);
    let compared = 0;
    for (const row of rows) {
      const [path] = [...files.keys()].filter((name) => name.endsWith(`-${row.id.slice(0, 13)}.md`));
      const text = files.get(path ?? "") ?? "";
      const [, matter = "", body = ""] = /^---\n([\s\S]*?\n)---\n\n([\s\S]*)$/.exec(text) ?? [];
      expect(parseYaml(matter)).toMatchObject({ id: row.id, title: row.title, status: row.status });
      expect(body).toBe(row.body);
      expect(files.get(`${path?.slice(0, -3)}.outline.md`) ?? null).toBe(row.outline);
      compared++;
    }
    const revisions = files.get(
      [...files.keys()].find((name) => name.includes(world.pieceId.slice(0, 8)) && name.endsWith(".revisions.json")) ??
        "",
    );
    expect(revisions).toContain("Written by hand, twice.");
    expect(JSON.parse(revisions ?? "")[1].body).toContain("Written by hand.");
    expect([...files.values()].join("\n")).not.toContain(other.mark);
    process.stdout.write(`export: ${compared} pieces compared with the database, 0 differences\n`);
  }, 60_000);

  it("contains account, projects, persona, keywords, chats and jobs, and no secret", async () => {
    const world = await newWorld();
    await world.caller.patch("/api/user/settings", {
      openaiApiKey: KEY,
      wordpressUrl: "https://blog.example.com",
      wordpressUsername: "maren",
      wordpressPassword: "the password of the site",
    });
    await world.caller.post(`/api/topics/${world.topicId}/keywords`, { keyword: '=HYPERLINK("https://evil.example")' });
    await query(
      "INSERT INTO accounts (user_id, type, provider, provider_account_id) VALUES ($1, 'oidc', 'google', $2)",
      [world.id, `subject-of-${world.mark}`],
    );
    await query("UPDATE users SET firebase_uid = $2 WHERE id = $1", [world.id, `uid-of-${world.mark}`]);
    await createCaller(undefined, "10.9.8.7").post(
      "/api/login",
      { username: world.username, password: PASSWORD },
      { "user-agent": "Firefox/126.0 with \u00e9" },
    );
    await query("INSERT INTO sessions (session_token, user_id, expires) VALUES ($1, $2, now() - interval '1 minute')", [
      `ended ${world.mark}`,
      world.id,
    ]);
    const hashes = await query<{ hash: string }>("SELECT session_token AS hash FROM sessions WHERE user_id = $1", [
      world.id,
    ]);
    for (let n = 0; n < 2; n++)
      await world.caller.patch("/api/user", { email: "x@x.example", currentPassword: "wrong" });
    const { files, bytes } = await download(world);
    const all = [...files.values()].join("\n");
    for (const secret of [
      KEY,
      "the password of the site",
      "$argon2",
      "v1.k1.",
      world.caller.cookie()?.split("=")[1] ?? "-",
      ...hashes.map(({ hash }) => hash),
    ]) {
      expect(all).not.toContain(secret);
      expect(Buffer.from(bytes).includes(secret)).toBe(false);
    }
    const named = (pattern: RegExp) => files.get([...files.keys()].find((name) => pattern.test(name)) ?? "") ?? "";
    expect(JSON.parse(named(/^account\.json$/))).toMatchObject({ username: world.username });
    expect(JSON.parse(named(/^sign-in\.json$/))).toEqual({
      hasPassword: true,
      isEmailVerified: false,
      connected: ["google", "firebase"],
      sessions: [
        {
          userAgent: "Firefox/126.0 with \u00e9",
          address: "10.9.8.7",
          createdAt: expect.any(String),
          expires: expect.any(String),
        },
        expect.objectContaining({ userAgent: null }),
      ],
    });
    expect(JSON.parse(named(/project\.json$/))).toMatchObject({
      id: world.projectId,
      persona: { name: `${world.mark} reader` },
      topics: expect.arrayContaining([expect.objectContaining({ name: `${world.mark} topic` })]),
    });
    const keywords = parseCsv(named(new RegExp(`-${world.topicId}/keywords\\.csv$`)), { bom: true, columns: true }) as {
      keyword: string;
    }[];
    expect(keywords.map(({ keyword }) => keyword).sort()).toEqual(
      [`'=HYPERLINK("https://evil.example")`, `${world.mark} keyword`].sort(),
    );
    expect(named(/^chats\//)).toContain(`${world.mark} says hello`);
    expect(named(/^jobs\//)).toContain("outline_generation");
    const moment = expect.stringMatching(/^\d{4}-/);
    expect(JSON.parse(named(/^activity\.json$/))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: "settings.api_key_changed", times: 1, createdAt: moment, lastAt: moment }),
        expect.objectContaining({ action: "account.password_refused", times: 2, createdAt: moment, lastAt: moment }),
      ]),
    );
    expect(named(/^README\.txt$/)).toContain("front matter");
    expect(named(/^README\.txt$/)).toContain("sign-in.json");
  });

  it("contains long lists whole, in their order, and gives the same files when it is made again", async () => {
    const world = await newWorld();
    await query(
      `INSERT INTO content_revisions (content_piece_id, author, title, body, word_count, created_at)
       SELECT $1, 'user', n::text, 'Text', 1, now() - n / 2 * interval '1 day' FROM generate_series(2, 24) n`,
      [world.pieceId],
    );
    await query(
      `INSERT INTO audit_events (user_id, action, subject, created_at)
       SELECT $1, 'topic.deleted', n::text, now() - n / 5 * interval '1 day' FROM generate_series(5, 2500) n`,
      [world.id],
    );
    await query(
      `INSERT INTO chat_messages (session_id, position, role, content)
       SELECT id, 100 + n, 'user', n::text FROM chat_sessions, generate_series(1, 23) n WHERE user_id = $1`,
      [world.id],
    );
    const [{ files }, { files: again }] = [await download(world), await download(world)];
    const rows = (named: RegExp) =>
      JSON.parse(files.get([...files.keys()].find((name) => named.test(name)) ?? "") ?? "");
    const ofEvents = rows(/^activity\.json$/).filter(({ action }: { action: string }) => action === "topic.deleted");
    const byTime = "ORDER BY created_at DESC, id DESC";
    expect(ofEvents.map(({ subject }: { subject: string }) => subject)).toEqual(
      (
        await query(`SELECT subject FROM audit_events WHERE user_id = $1 AND action = 'topic.deleted' ${byTime}`, [
          world.id,
        ])
      ).map(({ subject }) => subject),
    );
    const ofPiece = rows(new RegExp(`${world.pieceId.slice(0, 13)}\\.revisions\\.json$`));
    expect(ofPiece.map(({ title }: { title: string }) => title)).toEqual(
      (await query(`SELECT title FROM content_revisions WHERE content_piece_id = $1 ${byTime}`, [world.pieceId])).map(
        ({ title }) => title,
      ),
    );
    const said = rows(/^chats\//).messages.map(({ content }: { content: string }) => content);
    expect(said.slice(-23)).toEqual(Array.from({ length: 23 }, (_, n) => `${n + 1}`));
    // The second has one event more: the first export.
    files.delete("activity.json");
    again.delete("activity.json");
    expect([...again]).toEqual([...files]);
  });

  it("contains the longest texts of revisions whole, whatever their characters", async () => {
    const world = await newWorld();
    const body = '🌱"\n园\\'.repeat(83_334).slice(0, 500_000);
    const outline = "## One\n".repeat(14_000);
    await query(
      `INSERT INTO content_revisions (content_piece_id, author, title, body, outline, word_count)
       VALUES ($1, 'ai', 'Long', $2, $3, 1), ($1, 'ai', 'Blank', '', '', 0)`,
      [world.pieceId, body, outline],
    );
    const { files } = await download(world);
    const path = [...files.keys()].find((name) => name.endsWith(`${world.pieceId.slice(0, 13)}.revisions.json`)) ?? "";
    const revisions = JSON.parse(files.get(path) ?? "") as { title: string; body: string; outline: string | null }[];
    const named = (title: string) => revisions.find((revision) => revision.title === title);
    expect(named("Long")?.body === body && named("Long")?.outline === outline).toBe(true);
    expect(named("Blank")).toMatchObject({ body: "", outline: "" });
    expect(revisions.some((revision) => revision.outline === null)).toBe(true);
  });

  it("uses paths that are safe and unique on any system", async () => {
    const world = await newWorld();
    for (const title of TITLES) {
      await world.caller.post("/api/projects", { title });
      await world.caller.post("/api/projects", { title });
    }
    const paths = [...(await download(world)).files.keys()];
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    for (const path of paths) {
      expect(path).not.toMatch(/(^|\/)\.|\.\.|^\/|[\\:*?"<>|\p{Cc}]|[ .](\/|$)|\/\//u);
      expect(path).not.toMatch(/(^|\/)(con|prn|aux|nul|com\d|lpt\d)(\.|\/|$)/i);
      for (const part of path.split("/")) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
      // Windows: 260 with the folder it is unpacked to.
      expect(path.length).toBeLessThanOrEqual(200);
    }
  });

  it("gives equal names different paths, and starts the keywords with a byte order mark for Excel", async () => {
    const { fileStem, keywordsCsv } = await import("@/lib/features/account/own-data/rules");
    const alike = Array.from({ length: 10_000 }, () => fileStem("jobs", randomUUID()));
    expect(new Set(alike).size).toBe(alike.length);
    expect(fileStem("x", 1_234_567_891)).not.toBe(fileStem("x", 1_234_567_892));
    expect(keywordsCsv([{ keyword: "Gärtnern", createdAt: new Date() }]).codePointAt(0)).toBe(0xfeff);
  });

  it("breaks the response off when the account is deleted meanwhile, so that half an archive does not look complete", async () => {
    const world = await newWorld();
    const response = await world.caller.respond("GET", "/api/user/export");
    const reader = response.body?.getReader();
    await reader?.read();
    await query("DELETE FROM users WHERE id = $1", [world.id]);
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toThrow();
  });

  it("is complete for an empty account, and rate-limited", async () => {
    const user = await newUser();
    const { files } = await download(user);
    expect([...files.keys()].sort()).toEqual(["README.txt", "account.json", "activity.json", "sign-in.json"]);
    for (let n = 0; n < 9; n++)
      await user.caller.respond("GET", "/api/user/export").then((answer) => answer.arrayBuffer());
    expect((await user.caller.get("/api/user/export")).status).toBe(429);
  });
});
