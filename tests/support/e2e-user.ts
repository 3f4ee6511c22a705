import { type BrowserContext, expect } from "@playwright/test";
import pg from "pg";
import { fillShowcase, type Showcase } from "@/tests/support/showcase";

const {
  E2E_BASE_URL = "",
  E2E_DATABASE_URL = "",
  E2E_AI_KEY = "",
  E2E_WORDPRESS_URL = "",
  E2E_WORDPRESS_USERNAME = "",
  E2E_WORDPRESS_PASSWORD = "",
} = process.env;

export const PASSWORD = "a calm desk for words";

const ownOrigin = { origin: E2E_BASE_URL };

/** Registers a user in this browser and stays signed in; returns their id. */
export async function registerUser(context: BrowserContext, username: string): Promise<string> {
  const answer = await context.request.post("/api/register", {
    headers: ownOrigin,
    data: { username, password: PASSWORD },
  });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

const SITE = {
  wordpressUrl: E2E_WORDPRESS_URL,
  wordpressUsername: E2E_WORDPRESS_USERNAME,
  wordpressPassword: E2E_WORDPRESS_PASSWORD,
};

/** Connects this browser's user to the sample provider and site. `latencyMs` sets the provider's response time. */
export function connectSamples(context: BrowserContext, latencyMs?: number): Promise<void> {
  const openaiApiKey = latencyMs === undefined ? E2E_AI_KEY : `${E2E_AI_KEY}-${latencyMs}`;
  return saveSettings(context, { ...SITE, openaiApiKey });
}

/** Connects this browser's user to the sample site only. */
export function connectSite(context: BrowserContext): Promise<void> {
  return saveSettings(context, SITE);
}

async function saveSettings(context: BrowserContext, data: object): Promise<void> {
  const answer = await context.request.patch("/api/user/settings", { headers: ownOrigin, data });
  expect(answer.status()).toBe(200);
}

/** Adds categories to the sample site. */
export async function addSiteCategories({ request }: BrowserContext, names: string[]): Promise<void> {
  const login = Buffer.from(`${E2E_WORDPRESS_USERNAME}:${E2E_WORDPRESS_PASSWORD}`).toString("base64");
  for (const name of names) {
    await request.post(`${E2E_WORDPRESS_URL}/?rest_route=/wp/v2/categories`, {
      headers: { authorization: `Basic ${login}` },
      data: { name },
    });
  }
}

/** A new user for one test, signed in and connected, with some of everything. */
export async function userWithShowcase(context: BrowserContext, name: string): Promise<Showcase> {
  const id = await registerUser(context, `${name}.${Date.now()}`);
  await connectSamples(context);
  return fillShowcase(E2E_DATABASE_URL, id);
}

/** Runs a statement on the app's database. */
export async function e2eQuery<T extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: E2E_DATABASE_URL });
  await client.connect();
  try {
    return (await client.query<T>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
