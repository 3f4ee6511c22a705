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

/** What everybody registers with. */
export const PASSWORD = "a calm desk for words";

const ownOrigin = { origin: E2E_BASE_URL };

/** Registers somebody in this browser, signed in from then on; answers their id. */
export async function registerPerson(context: BrowserContext, username: string): Promise<string> {
  const answer = await context.request.post("/api/register", {
    headers: ownOrigin,
    data: { username, password: PASSWORD },
  });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

/**
 * Gives the person of this browser the key of the sample provider and the login of the sample site. `latencyMs` is how long
 * each of the provider's answers takes.
 */
export async function connectSamples(context: BrowserContext, latencyMs?: number): Promise<void> {
  const answer = await context.request.patch("/api/user/settings", {
    headers: ownOrigin,
    data: {
      openaiApiKey: latencyMs === undefined ? E2E_AI_KEY : `${E2E_AI_KEY}-${latencyMs}`,
      wordpressUrl: E2E_WORDPRESS_URL,
      wordpressUsername: E2E_WORDPRESS_USERNAME,
      wordpressPassword: E2E_WORDPRESS_PASSWORD,
    },
  });
  expect(answer.status()).toBe(200);
}

/** Somebody of their own for one test, signed in and connected, with some of everything. */
export async function personWithShowcase(context: BrowserContext, name: string): Promise<Showcase> {
  const id = await registerPerson(context, `${name}.${Date.now()}`);
  await connectSamples(context);
  return fillShowcase(E2E_DATABASE_URL, id);
}

/** One statement on the app's database. */
export async function e2eQuery<T extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: E2E_DATABASE_URL });
  await client.connect();
  try {
    return (await client.query<T>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
