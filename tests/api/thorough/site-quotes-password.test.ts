import type { PublishingResultOut } from "@/lib/features/publishing/schema";
import { type Faults, noFaults } from "@/scripts/samples/wordpress/faults";
import { suiteBlog } from "@/tests/support/blog";
import { deleteEverything, query } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import { work } from "@/tests/support/publishing-project";
import { connectedWorkspace } from "@/tests/support/publishing-workspace";
import { recordEvents } from "@/tests/support/sent-events";

// A hostile site gives the application password back wherever it can. It must reach no answer of ours, no log and no row.

const mockLines: string[] = [];
jest.mock("@/lib/log", () => {
  const { createLog } = jest.requireActual("@/lib/log");
  return { log: createLog({ write: (line: string) => mockLines.push(line) }) };
});
jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
recordEvents();

const site = suiteBlog();

beforeAll(async () => {
  process.env.LOG_LEVEL = "debug";
});
// Every row is read.
beforeEach(() => deleteEverything());

const base64 = (text: string) => Buffer.from(text).toString("base64");
const bare = () => site.applicationPassword.replaceAll(" ", "");

/** The password in the forms that a site may give it back in. */
const FORMS: Record<string, () => string> = {
  plain: () => site.applicationPassword,
  bare,
  base64: () => base64(`${site.username}:${site.applicationPassword}`),
  "bare in base64": () => base64(`${site.username}:${bare()}`),
  "for HTML": () => [...bare()].map((each) => `&#${each.charCodeAt(0)};`).join(""),
  "for addresses": () => encodeURIComponent(site.applicationPassword),
  "for JSON": () => [...bare()].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join(""),
};

/** What would show any of them: decoded, in any case, without spaces. */
function isShownIn(text: string): boolean {
  const [lower, secret] = [text.replace(/\s|%20|\+/g, "").toLowerCase(), bare().toLowerCase()];
  const encoded = ["base64", "bare in base64"].map((form) => (FORMS[form]?.() ?? "").replace(/=+$/, ""));
  const escaped = ["for HTML", "for JSON"].map((form) => (FORMS[form]?.() ?? "").slice(0, 60));
  return (
    lower.includes(secret) ||
    [...encoded, ...escaped].some((form) => text.includes(form) || text.includes(JSON.stringify(form).slice(1, -1)))
  );
}

/** Every string of an answer with `quoted` in it; addresses stay addresses. */
function quoting(value: unknown, quoted: string): unknown {
  if (typeof value === "string") {
    if (/^https?:/.test(value)) return `${value.replace(/\/$/, "")}/${quoted}/`;
    return ["publish", "draft", "wp/v2"].includes(value) ? value : `${value} ${quoted}`;
  }
  if (Array.isArray(value)) return value.map((each) => quoting(each, quoted));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, quoting(part, quoted)]));
}

type Door = (quoted: string) => Partial<Faults>;
const json = (body: object) => ({ "Content-Type": "application/json", html: JSON.stringify(body) });
const error = (quoted: string) => ({
  code: `x_${quoted}`,
  message: `Sorry, ${quoted} is wrong.`,
  data: { status: 400 },
});
/** The home page answers with this. */
const home =
  (answer: (quoted: string) => { status: number; headers?: Record<string, string>; html: string }): Door =>
  (quoted) => ({ instead: ({ route }) => (route === null ? answer(quoted) : null) });
const failing =
  (status: number): Door =>
  (quoted) => ({ rewrite: () => ({ status, body: error(quoted) }) });

/** Where a site may quote it. Header values and addresses take no spaces and no line breaks. */
const DOORS: Record<string, Door> = {
  "every successful answer": (quoted) => ({
    rewrite: (answer) => ({ ...answer, body: quoting(answer.body, quoted) }),
  }),
  "every answer but the index": (quoted) => ({
    rewrite: (answer, { route }) => (route === "/" ? answer : { ...answer, body: quoting(answer.body, quoted) }),
  }),
  "refusals (400)": failing(400),
  "missing rights (403)": failing(403),
  "refused logins (401)": failing(401),
  "internal errors (500)": failing(500),
  "a home page that fails with data": home((quoted) => ({ status: 500, ...json(error(quoted)) })),
  "a home page that fails": home((quoted) => ({ status: 500, html: `<html>${quoted}</html>` })),
  "the link of the home page": home((quoted) => ({
    status: 200,
    headers: { Link: `<${site.url}/${encodeURI(quoted)}/wp-json/>; rel="https://api.w.org/"` },
    html: "<html>",
  })),
  "the link in the home page": home((quoted) => ({
    status: 200,
    html: `<link rel="https://api.w.org/" href="${site.url}/${quoted.replaceAll(" ", "")}/wp-json/">`,
  })),
  "a redirect of the home page": home((quoted) => ({
    status: 302,
    headers: { Location: `${site.url}/${encodeURI(quoted)}/` },
    html: "",
  })),
  "a redirect to a host": home((quoted) => ({
    status: 302,
    headers: { Location: `http://${quoted.replace(/[^a-z0-9]/gi, "").slice(0, 60)}.invalid/` },
    html: "",
  })),
  "a redirect of the REST API": (quoted) => ({
    instead: ({ route }) =>
      route === null
        ? null
        : {
            status: 301,
            headers: { Location: `http://${quoted.replace(/[^a-z0-9]/gi, "").slice(0, 60)}.invalid/` },
            html: "",
          },
  }),
};

/** What our routes answer, with their headers, and what the job's rows say. */
async function everyCall(): Promise<string[]> {
  const workspace = await connectedWorkspace(site);
  const { caller, projectId } = workspace;
  const id = await newPiece(workspace, workspace, { title: `Quoted ${workspace.username}`, body: "Some text." });
  await newPiece(workspace, workspace, { title: `Other ${workspace.username}`, body: "Other text." });
  const answers: string[] = [];
  const keep = (answer: { status: number; headers: Headers; text: string }) =>
    answers.push(`${answer.status} ${JSON.stringify([...answer.headers])} ${answer.text}`);
  keep(await caller.post("/api/wordpress/test"));
  keep(await caller.get("/api/wordpress/categories"));
  for (const verb of ["publish", "sync", "unpublish"]) keep(await caller.post(`/api/content/${id}/${verb}`));
  const started = await caller.post<{ jobId: string }>(`/api/projects/${projectId}/publishing-jobs`, {
    verb: "publish_all",
  });
  await work(started.body.jobId);
  keep(await caller.get(`/api/publishing-jobs/${started.body.jobId}`));
  keep(await caller.get<PublishingResultOut[]>(`/api/publishing-jobs/${started.body.jobId}/results`));
  keep(await caller.get(`/api/content/${id}`));
  keep(await caller.get("/api/user"));
  return answers;
}

const TABLES = [
  "content_pieces",
  "piece_posts",
  "processing_jobs",
  "processing_queue",
  "sites",
  "audit_events",
  "leases",
];

async function rows(): Promise<string[]> {
  const found: string[] = [];
  for (const table of TABLES) {
    found.push(...(await query<{ text: string }>(`SELECT t::text AS text FROM ${table} t`)).map(({ text }) => text));
  }
  return found;
}

describe("the application password that a site gives back", () => {
  it.each(Object.keys(DOORS))(
    "in %s is in no answer, no log line and no row",
    async (door) => {
      for (const [form, make] of Object.entries(FORMS)) {
        const quoted = make();
        Object.assign(site.faults, noFaults(), DOORS[door]?.(quoted));
        mockLines.length = 0;
        const places = [...(await everyCall()), ...mockLines, ...(await rows())];
        expect([form, places.filter(isShownIn)]).toEqual([form, []]);
      }
    },
    60_000,
  );

  it("is looked for in a way that would find it", () => {
    for (const make of Object.values(FORMS))
      expect(isShownIn(JSON.stringify([`Sorry, ${make()} is wrong.`]))).toBe(true);
  });
});
