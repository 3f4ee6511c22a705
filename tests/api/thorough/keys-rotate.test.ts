import { randomBytes } from "node:crypto";
import pg from "pg";
import { createSecretBox } from "@/lib/crypto/secret-box";
import { type Rotation, rotateKeys, rotationReport } from "@/scripts/keys-rotate";
import { createDatabase, query, waitForLock } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

const key = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const OLD = key("k1");
const NEW = key("k2");
const LOST = key("k0");

let database: Awaited<ReturnType<typeof createDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await createDatabase("migrated");
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
afterEach(() => client.query("DELETE FROM users"));

type Secrets = { openaiApiKey?: string; wordpressPassword?: string };

/** An account whose secrets were sealed with this ring. */
async function newAccount(keys: string, secrets: Secrets): Promise<string> {
  const { rows } = await client.query("INSERT INTO users (username) VALUES ('u' || gen_random_uuid()) RETURNING id");
  const { id } = rows[0] as { id: string };
  const box = createSecretBox(keys);
  const sealed = (field: keyof Secrets) => {
    const secret = secrets[field];
    return secret === undefined ? null : box.seal(secret, { owner: id, field });
  };
  await client.query("UPDATE users SET openai_api_key = $2, wordpress_password = $3 WHERE id = $1", [
    id,
    sealed("openaiApiKey"),
    sealed("wordpressPassword"),
  ]);
  return id;
}

async function opened(id: string, keys: string): Promise<Secrets> {
  const { rows } = await client.query("SELECT openai_api_key, wordpress_password FROM users WHERE id = $1", [id]);
  const box = createSecretBox(keys);
  const open = (sealed: string | null, field: string) => (sealed ? box.open(sealed, { owner: id, field }) : undefined);
  const [row] = rows as { openai_api_key: string | null; wordpress_password: string | null }[];
  return {
    openaiApiKey: open(row?.openai_api_key ?? null, "openaiApiKey"),
    wordpressPassword: open(row?.wordpress_password ?? null, "wordpressPassword"),
  } as Secrets;
}

/** Of the account's site, which got what was written into its owner's row as the release before sealed it. */
async function sitePassword(userId: string, keys: string): Promise<string> {
  const { rows } = await client.query("SELECT id, password FROM sites WHERE user_id = $1", [userId]);
  const [site] = rows as { id: string; password: string }[];
  return createSecretBox(keys).open(site?.password ?? "", { owner: site?.id ?? "", field: "sitePassword" });
}

const NONE: Rotation = { resealed: 0, current: 0, changed: 0, unopened: [] };

describe("npm run keys:rotate", () => {
  it("seals everything again with the first key, so that the old one can be removed", async () => {
    const both = await newAccount(OLD, { openaiApiKey: "sk-one", wordpressPassword: "site one" });
    const one = await newAccount(OLD, { openaiApiKey: "sk-two" });
    const fresh = await newAccount(NEW, { wordpressPassword: "site three" });
    await newAccount(OLD, {});
    const ring = `${NEW},${OLD}`;
    expect(await rotateKeys(database.url, ring)).toEqual({ ...NONE, resealed: 5, current: 1 });
    expect(await opened(both, NEW)).toEqual({ openaiApiKey: "sk-one", wordpressPassword: "site one" });
    expect(await opened(one, NEW)).toEqual({ openaiApiKey: "sk-two", wordpressPassword: undefined });
    expect(await opened(fresh, NEW)).toEqual({ openaiApiKey: undefined, wordpressPassword: "site three" });
    expect([await sitePassword(both, NEW), await sitePassword(fresh, NEW)]).toEqual(["site one", "site three"]);
    expect(await rotateKeys(database.url, ring)).toEqual({ ...NONE, current: 6 });
    expect(await rotateKeys(database.url, NEW)).toEqual({ ...NONE, current: 6 });
  });

  it("leaves what it cannot open unchanged, names its owner and prints no secret", async () => {
    const lost = await newAccount(LOST, { openaiApiKey: "sk-lost", wordpressPassword: "site lost" });
    const found = await newAccount(OLD, { openaiApiKey: "sk-found" });
    const rotation = await rotateKeys(database.url, `${NEW},${OLD}`);
    expect(rotation).toEqual({ ...NONE, resealed: 1, unopened: [lost, lost, lost] });
    const report = rotationReport(rotation);
    expect(report).toContain(lost);
    expect(report).not.toMatch(/sk-|site lost|v1\./);
    expect(await opened(lost, LOST)).toEqual({ openaiApiKey: "sk-lost", wordpressPassword: "site lost" });
    expect(await opened(found, NEW)).toMatchObject({ openaiApiKey: "sk-found" });
  });

  it("handles thousands of accounts, and tolerates two runs at once", async () => {
    for (let n = 0; n < 40; n++) await newAccount(OLD, { openaiApiKey: `sk-${n}`, wordpressPassword: `site ${n}` });
    await client.query(`INSERT INTO users (username) SELECT 'empty' || n FROM generate_series(1, 2000) n`);
    const ring = `${NEW},${OLD}`;
    const [one, two] = await Promise.all([rotateKeys(database.url, ring), rotateKeys(database.url, ring)]);
    expect(one.resealed + two.resealed).toBe(120);
    expect([...one.unopened, ...two.unopened]).toEqual([]);
    expect(await rotateKeys(database.url, NEW)).toEqual({ ...NONE, current: 120 });
  });

  it("does not overwrite a secret that is changed meanwhile", async () => {
    const id = await newAccount(OLD, { openaiApiKey: "sk-before" });
    const changed = createSecretBox(`${NEW},${OLD}`).seal("sk-after", { owner: id, field: "openaiApiKey" });
    // The change is uncommitted while the rotation reads the old secret and starts to write.
    await client.query("BEGIN");
    await client.query("UPDATE users SET openai_api_key = $2 WHERE id = $1", [id, changed]);
    const rotating = rotateKeys(database.url, `${NEW},${OLD}`);
    await waitForLock(database.url);
    await client.query("COMMIT");
    expect(await rotating).toEqual({ ...NONE, changed: 1 });
    expect(await opened(id, NEW)).toMatchObject({ openaiApiKey: "sk-after" });
  });
});

describe("secrets in the database (S7)", () => {
  it("are rejected when altered or moved to another account or field, and the app asks for them again", async () => {
    const one = await newWorkspace();
    const two = await newWorkspace();
    const settings = (n: number) => ({
      openaiApiKey: `sk-moved-secret-${n}-abcdefgh`,
      wordpressUrl: "https://blog.example.com",
      wordpressUsername: "maren",
      wordpressPassword: `moved site password ${n}`,
    });
    await one.caller.patch("/api/user/settings", settings(1));
    await two.caller.patch("/api/user/settings", settings(2));
    const piece = await newPiece(one, one, { body: "Text." });
    type Sealed = { id: string; openai_api_key: string; wordpress_password: string };
    const stored = await query<Sealed>("SELECT id, openai_api_key, wordpress_password FROM users WHERE id = ANY($1)", [
      [one.id, two.id],
    ]);
    const mine = stored.find(({ id }) => id === one.id) as Sealed;
    const other = stored.find(({ id }) => id === two.id) as Sealed;

    const flipped = (sealed: string, at: number) =>
      sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    const attempts: { openai_api_key: string; wordpress_password: string }[] = [
      // Another account's secret, and this account's own in the other column.
      { openai_api_key: other.openai_api_key, wordpress_password: other.wordpress_password },
      { openai_api_key: mine.wordpress_password, wordpress_password: mine.openai_api_key },
      ...[...mine.openai_api_key].map((_, at) => ({
        openai_api_key: flipped(mine.openai_api_key, at),
        wordpress_password: flipped(mine.wordpress_password, at % mine.wordpress_password.length),
      })),
    ];
    let accepted = 0;
    for (const attempt of attempts) {
      // The limit of AI calls would answer first.
      await query("DELETE FROM rate_limits");
      await query("UPDATE users SET openai_api_key = $2, wordpress_password = $3 WHERE id = $1", [
        one.id,
        attempt.openai_api_key,
        attempt.wordpress_password,
      ]);
      const generated = await one.caller.post(`/api/topics/${one.topicId}/suggest-keywords`);
      const published = await one.caller.post(`/api/content/${piece}/publish`, {});
      if (generated.body.type !== "MISSING_API_KEY" || published.body.type !== "MISSING_CREDENTIALS") accepted++;
    }
    expect(accepted).toBe(0);
    process.stdout.write(`S7: ${attempts.length * 2} flipped or moved secrets, 0 accepted\n`);
  });
});
