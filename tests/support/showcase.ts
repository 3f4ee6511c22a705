import pg from "pg";
import { placeOf } from "@/lib/wordpress/site-address";

/** Title and optional texts of a showcase piece. */
type Piece = {
  title: string;
  status?: string;
  body?: string;
  outline?: string;
  titleOnly?: boolean;
  permalink?: string;
  error?: string;
};
type Topic = { name: string; description: string; category?: string; keywords?: string[]; pieces?: Piece[] };
type Project = { title: string; description?: string; topics?: Topic[] };

const TOMATOES = `Every February someone in the shop asks for tomato seed and a date. The seed is easy. The date depends on a number you can look up in two minutes and a rule you can keep in your head.

## Start from the far end

Find your average last frost. For Hudson it is May 12. Tomatoes go out about a week after that, when nights stay above **50 °F**, and they want six to eight weeks under cover first. Count back from May 19 and you land between March 24 and April 7.

Earlier is not better. A plant that has waited ten weeks on a windowsill is tall, pale and root-bound, and a short, stocky one that is *three weeks younger* overtakes it by the end of June.

## What to have on the shelf

- A peat-free mix, damp as a wrung-out sponge
- Cells no smaller than two inches
- One lamp, or a south window and a turned tray

If you only have the windowsill, start in the second week. The light in early April is worth more than the extra days.`;

const OUTLINE = `## Why seedlings stretch
Light from one side, and too much warmth.

## The two-inch rule
How far a lamp hangs above the leaves.

## A windowsill in March
What eight weeks of turning a tray came to.

## When a lamp is worth it
Cost over three seasons, and what else the shelf is good for.`;

const SITE = "https://blog.fernandfurrow.example";
const SECOND_SITE = "https://balcony-journal.example";

const SEED_STARTING: Topic = {
  name: "Seed starting indoors",
  description:
    "From packet to potting up: mixes, light, warmth and the mistakes that cost a tray. Written for people with one windowsill and a shelf.",
  category: "Growing from seed",
  keywords: [
    "seed starting mix",
    "when to start tomatoes indoors",
    "damping off prevention",
    "soil blocks vs cell trays",
    "bottom watering",
    "leggy seedlings",
    "how long can seedlings stay in cell trays before potting up",
  ],
  pieces: [
    { title: "A peat-free seed starting mix you can make from three bags", status: "wp_published", body: TOMATOES },
    {
      title: "When to start tomatoes indoors: count back from your last frost",
      status: "wp_published",
      body: TOMATOES,
      outline: OUTLINE,
    },
    {
      title: "Damping off: why seedlings collapse overnight, and the four habits that stop it",
      status: "wp_failed",
      body: TOMATOES,
      error: "The site answered: Sorry, you are not allowed to create posts as this user.",
    },
    {
      title: "Soil blocks or cell trays? What we learned from 1,200 seedlings",
      status: "review",
      body: `A block costs less than half a tray [source needed: prices of trays].\n\n${TOMATOES}`,
    },
    {
      title: "Do you really need grow lights? A windowsill test across eight weeks of late-winter light at 42° north",
      outline: OUTLINE,
    },
    { title: "Bottom watering, explained", titleOnly: true },
  ],
};

const PROJECTS: Project[] = [
  {
    title: "Spring planting guide 2027",
    description:
      "Everything a first-time grower needs between the last frost and the first harvest, told week by week.",
    topics: [
      SEED_STARTING,
      {
        name: "Raised beds, no-dig beds and the soil mixes that actually work in year three",
        description: "What to fill a bed with, what it costs, and what is left of it after two winters.",
        keywords: ["raised bed soil calculator", "no-dig on clay"],
        pieces: [
          {
            title: "How much soil does a 4 × 8 raised bed take? A table, and why it settles",
            status: "published",
            body: TOMATOES,
          },
          { title: "No-dig on heavy clay: the first, second and third spring", status: "wp_draft", body: TOMATOES },
          { title: "Cedar, larch or steel", status: "unpublished", body: TOMATOES },
        ],
      },
      {
        name: "Last frost: dates, cloths and the nights in between",
        description: "The weeks in which a garden is lost or kept.",
        category: "Weather",
        keywords: ["frost cloth", "average last frost date"],
        pieces: [
          { title: "Frost cloth weights compared", status: "review", body: TOMATOES },
          { title: "The night before the first frost: a checklist to print and pin by the door", titleOnly: true },
        ],
      },
      {
        name: "園芸の道具",
        description: "日本の鋸と鎌、手入れと収納。",
        keywords: ["剪定鋸 手入れ", "鎌の研ぎ方"],
        pieces: [
          {
            title: "鎌の研ぎ方:十分でできる手順と、やってはいけない三つのこと",
            status: "draft",
            body: "## はじめに\n\n鎌は研げば一生使える。",
          },
        ],
      },
      {
        name: "الري بالتنقيط في الحدائق الصغيرة",
        description: "كيف تسقي حديقة صغيرة بماء قليل.",
        keywords: ["الري بالتنقيط"],
        pieces: [
          {
            title: "الري بالتنقيط: دليل عملي للمبتدئين في خمس خطوات",
            status: "draft",
            body: "## البداية\n\nالماء أغلى مما نظن.",
          },
        ],
      },
      { name: "Slugs", description: "Who eats what, and what helps that is not salt.", category: "Pests" },
    ],
  },
  {
    title: "Composting for small gardens",
    description: "One bin, a balcony and no smell.",
    topics: [
      {
        name: "Worm bins",
        description: "Indoors, all year.",
        pieces: [{ title: "A worm bin under the sink", status: "draft", body: TOMATOES }],
      },
    ],
  },
  {
    title: "Tools that last: buying, sharpening and storing hand tools so that you never have to replace them again",
    topics: [
      {
        name: "Sharpening",
        description: "Stones, files and angles.",
        pieces: [{ title: "One stone is enough", outline: OUTLINE }],
      },
    ],
  },
  { title: "Harvest to pantry", description: "Drying, bottling and the freezer." },
  { title: "Herbs on a north-facing balcony" },
];

/** Data for the gallery and the accessibility tests: one user with some of everything, in every state. */
export type Showcase = {
  projectId: number;
  topicId: number;
  emptyProjectId: number;
  /** A job that is writing a text. */
  jobId: string;
  pieces: Record<"full" | "unsourced" | "outlined" | "titleOnly" | "failed", string>;
};

/** Fills this user's account, which must be empty. */
export async function fillShowcase(databaseUrl: string, userId: string): Promise<Showcase> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("BEGIN");
    const projectIds: number[] = [];
    for (const [place, project] of PROJECTS.entries())
      projectIds.push(await addProject(client, userId, project, place));
    const [projectId = 0] = projectIds;
    await addPersona(client, projectId);
    await addSecondSite(client, userId, projectIds[1] ?? 0);
    const pieces = await rows<{ id: string; topicId: number }>(
      client,
      'SELECT id, topic_id::int AS "topicId" FROM content_pieces WHERE project_id = $1 ORDER BY created_at DESC',
      [projectId],
    );
    const topicId = pieces[0]?.topicId ?? 0;
    const jobId = await addJobs(client, userId, projectId, topicId);
    await client.query("COMMIT");
    const at = (index: number) => pieces[index]?.id ?? "";
    return {
      projectId,
      topicId,
      emptyProjectId: projectIds.at(-1) ?? 0,
      jobId,
      pieces: { full: at(1), failed: at(2), unsourced: at(3), outlined: at(4), titleOnly: at(5) },
    };
  } finally {
    await client.end();
  }
}

async function rows<T extends pg.QueryResultRow>(
  client: pg.Client,
  statement: string,
  values: unknown[],
): Promise<T[]> {
  return (await client.query<T>(statement, values)).rows;
}

async function idOf(client: pg.Client, statement: string, values: unknown[]): Promise<number> {
  const [row] = await rows<{ id: number }>(client, statement, values);
  return Number(row?.id);
}

/** Lists show the newest first, so the first entry gets the latest date. */
function dayBefore(place: number): Date {
  return new Date(Date.UTC(2026, 10, 12, 14, 2) - place * 86_400_000);
}

async function addProject(client: pg.Client, userId: string, project: Project, place: number): Promise<number> {
  const id = await idOf(
    client,
    "INSERT INTO projects (user_id, title, description, created_at) VALUES ($1, $2, $3, $4) RETURNING id",
    [userId, project.title, project.description ?? null, dayBefore(place)],
  );
  let piecePlace = 0;
  for (const [topicPlace, topic] of (project.topics ?? []).entries()) {
    const { name, description, category = null, keywords = [], pieces = [] } = topic;
    const topicId = await idOf(
      client,
      "INSERT INTO topics (user_id, project_id, name, description, category, created_at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
      [userId, id, name, description, category, dayBefore(topicPlace)],
    );
    for (const [at, keyword] of keywords.entries()) {
      await client.query("INSERT INTO keywords (topic_id, keyword, created_at) VALUES ($1, $2, $3)", [
        topicId,
        keyword,
        dayBefore(at),
      ]);
    }
    for (const piece of pieces) await addPiece(client, { userId, projectId: id, topicId }, piece, piecePlace++);
  }
  return id;
}

async function addPiece(
  client: pg.Client,
  { userId, projectId, topicId }: { userId: string; projectId: number; topicId: number },
  { title, status = "draft", body = "", outline, titleOnly = false, error }: Piece,
  place: number,
): Promise<void> {
  const isOnSite = status.startsWith("wp_") && status !== "wp_failed";
  const permalink =
    status === "wp_published" ? `${SITE}/${title.toLowerCase().replace(/\W+/g, "-").slice(0, 40)}` : null;
  await client.query(
    `WITH p AS (
       INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, outline, is_outline, is_title_only, status,
         focus_keyword, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6::text IS NOT NULL, $7, $8::content_status, $9, $10) RETURNING id),
     s AS (INSERT INTO sites (user_id, place, api_root, is_default) VALUES ($1, $11, $12, true)
       ON CONFLICT (user_id) WHERE is_default DO UPDATE SET place = excluded.place RETURNING id)
     INSERT INTO piece_posts (content_piece_id, site_id, status, post_id, permalink, category_name, last_synced_at, publish_error,
       sent_source, sent_version)
     SELECT p.id, s.id, $8::content_status, $13, $14, $15, $16, $17, 'its text', 1 FROM p, s WHERE $8::content_status IN ('wp_draft', 'wp_published', 'wp_failed')`,
    [
      userId,
      projectId,
      topicId,
      title,
      body,
      outline ?? null,
      titleOnly,
      status,
      titleOnly ? "bottom watering" : null,
      dayBefore(place),
      placeOf(SITE),
      `${SITE}/wp-json/`,
      isOnSite ? String(400 + place) : null,
      permalink,
      isOnSite ? "Growing from seed" : null,
      isOnSite ? dayBefore(0) : null,
      error ?? null,
    ],
  );
}

async function addSecondSite(client: pg.Client, userId: string, projectId: number): Promise<void> {
  await client.query(
    `WITH s AS (INSERT INTO sites (user_id, place, api_root, url, username, password, name, version, role, last_contact_at)
       VALUES ($1, $2, $3, $4, 'tessa', 'sealed', 'The balcony journal of small gardens', '6.8.3', 'editor', $5) RETURNING id)
     UPDATE projects SET site_id = s.id FROM s WHERE projects.id = $6`,
    [userId, placeOf(SECOND_SITE), `${SECOND_SITE}/wp-json/`, SECOND_SITE, dayBefore(0), projectId],
  );
}

async function addPersona(client: pg.Client, projectId: number): Promise<void> {
  await client.query(
    "INSERT INTO buyer_personas (project_id, name, age, description, interests, challenges) VALUES ($1, $2, $3, $4, $5, $6)",
    [
      projectId,
      "Tessa Okafor",
      34,
      "Rents a ground-floor flat with a shared yard. Grew basil once. Reads on her phone on the train and saves everything for Saturday morning.",
      ["Food that tastes of something", "Short weekend projects", "Reusing what is already in the shed"],
      ["Two hours a week, at most", "Afraid of spending $60 on a bed that fails", "Conflicting advice on every forum"],
    ],
  );
}

/** What the job's call has written so far. */
const DRAFT = `Raised beds warm up earlier than the ground. The sun reaches their sides, and water leaves them faster.

- **Eight inches** are enough for lettuce.
- Tomatoes want twelve`;

/** Jobs and items in every state; none is ever due, so that no engine runs them. Returns the id of the live one. */
async function addJobs(client: pg.Client, userId: string, projectId: number, topicId: number): Promise<string> {
  const jobs = [
    {
      type: "content_generation",
      status: "processing",
      items: ["completed", "completed", "failed", "processing", "pending", "pending"],
    },
    { type: "outline_generation", status: "failed", items: ["failed", "failed"] },
    { type: "outline_generation", status: "completed", items: ["completed", "completed", "completed"] },
    { type: "content_generation", status: "cancelled", items: ["completed", "cancelled", "cancelled"] },
  ];
  const oldest = (
    await rows<{ id: string }>(client, "SELECT id FROM content_pieces WHERE user_id = $1 ORDER BY created_at LIMIT 6", [
      userId,
    ])
  ).map(({ id }) => id);
  let live = "";
  for (const [place, { type, status, items }] of jobs.entries()) {
    const count = (state: string) => items.filter((item) => item === state).length;
    const isOver = status !== "processing";
    const [job] = await rows<{ id: string }>(
      client,
      `INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, status, total_items, completed_items, failed_items,
         cancelled_items, started_at, completed_at, created_at)
       VALUES ($1, $2, $3, $4::job_type, $5::processing_status, $6, $7, $8, $9, now() - interval '4 minutes',
         CASE WHEN $10 THEN now() - interval '1 minute' END, now() - make_interval(mins => $11)) RETURNING id`,
      [
        userId,
        projectId,
        topicId,
        type,
        status,
        items.length,
        count("completed"),
        count("failed"),
        count("cancelled"),
        isOver,
        5 + place,
      ],
    );
    if (!isOver) live = job?.id ?? "";
    for (const item of items) {
      // Live items need a piece, or a sweep ends them; failed ones need one for a retry; the one being processed holds
      // its lease.
      const piece = item === "completed" || item === "cancelled" ? undefined : oldest.pop();
      await client.query(
        `WITH held AS (
           INSERT INTO leases (kind, subject, user_id, content_piece_id, token, until, draft)
           SELECT 'writing', $6::uuid::text, $3, $6::uuid, gen_random_uuid(), now() + interval '1 day', $7 WHERE $5 = 'processing' RETURNING token)
         INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, status, retry_count, error, sent_at,
           claim_token, started_at, completed_at, result)
         VALUES ($1::job_type, $2, $3, $4, coalesce($6::uuid, gen_random_uuid()), $5::processing_status,
           CASE WHEN $5 = 'failed' THEN 3 ELSE 0 END,
           CASE WHEN $5 = 'failed' THEN 'The AI provider gave an answer that could not be used.' END, now() + interval '1 day',
           (SELECT token FROM held), CASE WHEN $5 <> 'pending' THEN now() END,
           CASE WHEN $5 IN ('completed', 'failed', 'cancelled') THEN now() END,
           CASE WHEN $5 = 'processing' THEN '{"section": {"number": 1, "of": 6, "heading": "Why raise a bed", "outlineHash": ""}}'::jsonb END)`,
        [type, job?.id, userId, topicId, item, piece, DRAFT],
      );
    }
  }
  return live;
}
