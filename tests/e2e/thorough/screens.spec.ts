import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { axeViolations } from "@/tests/support/e2e-page";
import { JOB_SCREENS } from "@/tests/support/e2e-publishing-job";
import { connectSamples, registerUser } from "@/tests/support/e2e-user";
import { GALLERY, GALLERY_FOLDER, GALLERY_VIEWS } from "@/tests/support/gallery";
import { fillShowcase, type Showcase } from "@/tests/support/showcase";

/** A screen to check: `open` brings it up; `top` is where its screenshot starts. */
type Screen = {
  name: string;
  open: (page: Page, shown: Showcase) => Promise<unknown>;
  top?: (page: Page) => Locator;
};

/** Whether to keep screenshots for the gallery. */
const isGallery = process.env.KEEP_SCREENS === "1";

const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 360, height: 740 },
];
const SCHEMES = ["light", "dark"] as const;

const heading = (page: Page, name: string | RegExp) => visible(page.getByRole("heading", { name }).first());
const click = (target: Locator) => target.first().click();
const visible = (target: Locator) => expect(target.first()).toBeVisible();

async function editor(page: Page, id: string, tab?: "Edit" | "Preview" | "Outline" | "SEO Assistant") {
  await page.goto(`/content/${id}`);
  await visible(page.getByRole("tab", { selected: true }));
  if (tab) await page.getByRole("tab", { name: tab }).click();
}

/** Screens of a user with some of everything. */
const SCREENS: Screen[] = [
  { name: "home", open: (page) => page.goto("/").then(() => heading(page, "Your Projects")) },
  {
    name: "home-new-project",
    open: async (page) => {
      await page.goto("/");
      await click(page.getByRole("button", { name: "New Project" }));
      await heading(page, "Create New Project");
    },
  },
  {
    name: "home-edit-project",
    open: async (page) => {
      await page.goto("/");
      await click(page.getByRole("button", { name: /^Edit project/ }));
      await heading(page, "Edit Project");
    },
  },
  {
    name: "home-delete-project",
    open: async (page) => {
      await page.goto("/");
      await click(page.getByRole("button", { name: /^Delete/ }));
      await heading(page, "Delete Project");
    },
  },
  {
    name: "project",
    open: async (page, { projectId, topicId }) => {
      await page.goto(`/projects/${projectId}?topic=${topicId}`);
      await visible(page.getByText("Bottom watering, explained"));
    },
  },
  {
    name: "project-suggestions",
    open: async (page, { projectId, topicId }) => {
      await page.goto(`/projects/${projectId}?topic=${topicId}`);
      await click(page.getByRole("button", { name: /Show Suggestions|Suggest Keywords/ }));
      await visible(page.getByRole("button", { name: "Add All" }));
    },
  },
  {
    name: "project-ideas",
    open: async (page, { projectId }) => {
      await page.goto(`/projects/${projectId}`);
      await click(page.getByRole("button", { name: "Create Content Ideas" }));
      await visible(page.getByRole("dialog"));
    },
  },
  {
    name: "project-saved-instructions",
    open: async (page, { projectId }) => {
      await page.goto(`/projects/${projectId}`);
      await click(page.getByRole("button", { name: /Set Writing Style|Edit writing style/ }));
      await click(page.getByRole("button", { name: "Saved instructions" }));
      await visible(page.getByText("No saved instructions yet"));
    },
  },
  {
    name: "project-pieces",
    open: async (page, { projectId }) => {
      await page.goto(`/projects/${projectId}/pieces`);
      await visible(page.getByRole("cell", { name: /^\d\d$/ }));
    },
  },
  {
    name: "project-persona",
    open: async (page, { projectId }) => {
      await page.goto(`/projects/${projectId}`);
      await click(page.getByRole("button", { name: /Edit.*persona/i }));
      await visible(page.getByRole("dialog"));
    },
  },
  {
    name: "project-empty",
    open: async (page, { emptyProjectId }) => {
      await page.goto(`/projects/${emptyProjectId}`);
      await visible(page.getByText("No description provided"));
    },
  },
  {
    name: "content",
    open: async (page) => {
      await page.goto("/content");
      await visible(page.getByRole("link", { name: "Bottom watering, explained" }));
    },
  },
  {
    name: "content-no-hits",
    open: async (page) => {
      await page.goto("/content?search=snow");
      await visible(page.getByText("No content found"));
    },
  },
  {
    name: "content-of-a-link",
    open: async (page, { topicId }) => {
      await page.goto(`/content?topicId=${topicId}&step=text&search=snow`);
      await visible(page.getByText(/^No texts that are not live in “Seed starting/));
    },
  },
  {
    name: "content-delete",
    open: async (page) => {
      await page.goto("/content?search=bottom");
      await page.getByRole("button", { name: /^Delete: Bottom/ }).click();
      await visible(page.getByRole("alertdialog"));
    },
  },
  { name: "editor", open: (page, { pieces }) => editor(page, pieces.full, "Edit") },
  {
    name: "editor-preview",
    open: async (page, { pieces }) => {
      await editor(page, pieces.full, "Preview");
      await heading(page, "Start from the far end");
    },
  },
  { name: "editor-outline", open: (page, { pieces }) => editor(page, pieces.outlined) },
  { name: "editor-seo", open: (page, { pieces }) => editor(page, pieces.full, "SEO Assistant") },
  {
    name: "editor-source",
    open: async (page, { pieces }) => {
      await editor(page, pieces.unsourced, "Edit");
      await click(page.locator(".cm-source-mark"));
      await visible(page.getByRole("button", { name: "Drop the claim" }));
    },
  },
  {
    name: "editor-not-ready",
    open: async (page, { pieces }) => {
      await editor(page, pieces.unsourced, "Edit");
      await click(page.getByRole("button", { name: "Publish to WordPress" }));
      await visible(page.getByRole("button", { name: "Publish anyway" }));
    },
  },
  {
    name: "editor-proposals",
    open: async (page, { pieces }) => {
      await editor(page, pieces.unsourced, "Edit");
      await click(page.getByRole("button", { name: "Propose with AI" }));
      await click(page.getByRole("button", { name: "Use the proposed SEO title" }));
    },
    top: (page) => page.getByRole("heading", { name: "Search engines" }),
  },
  { name: "editor-title-only", open: (page, { pieces }) => editor(page, pieces.titleOnly) },
  { name: "editor-failed", open: (page, { pieces }) => editor(page, pieces.failed) },
  {
    name: "assistant",
    open: async (page, { projectId }) => {
      await page.goto(`/assistant/${projectId}`);
      await expect(page.getByRole("button", { name: "Send message" })).toBeEnabled();
      await page.getByPlaceholder("Type your message...").fill("Create a topic called Saving your own seed");
      await page.keyboard.press("Enter");
      await visible(page.getByText("Topic created"));
    },
  },
  {
    name: "assistant-fresh",
    open: async (page) => {
      await page.goto("/assistant");
      await expect(page.getByRole("button", { name: "Send message" })).toBeEnabled();
    },
  },
  { name: "wordpress-publishing", open: (page) => page.goto("/wordpress-publishing").then(() => heading(page, /./)) },
  {
    name: "wordpress-publishing-no-hits",
    open: async (page) => {
      await page.goto("/wordpress-publishing");
      await page.getByPlaceholder("Search projects...").fill("snow");
      await visible(page.getByText("No projects found"));
    },
  },
  {
    name: "wp-publishing",
    open: async (page, { projectId }) => {
      await page.goto(`/wp-publishing/${projectId}`);
      await visible(page.getByRole("link", { name: "Cedar, larch or steel" }));
    },
  },
  {
    name: "wp-publishing-all",
    open: async (page, { projectId }) => {
      await page.goto(`/wp-publishing/${projectId}`);
      await page.getByRole("tab", { name: "All Content" }).click();
      await visible(page.getByRole("link", { name: "Cedar, larch or steel" }));
    },
  },
  {
    name: "wp-publishing-confirm",
    open: async (page, { projectId }) => {
      await page.goto(`/wp-publishing/${projectId}`);
      await page.getByRole("button", { name: "Publish All Content" }).click();
      await heading(page, "Publish all content?");
    },
  },
  ...JOB_SCREENS,
  {
    name: "queue-monitor",
    open: async (page) => {
      await page.goto("/queue-monitor");
      await visible(page.getByText("Active Jobs"));
    },
  },
  { name: "settings", open: (page) => page.goto("/settings").then(() => heading(page, "API Settings")) },
  {
    name: "settings-add-site",
    open: async (page) => {
      await page.goto("/settings");
      await click(page.getByRole("button", { name: "Add site" }));
      await visible(page.getByRole("dialog"));
    },
  },
  {
    name: "settings-google",
    open: async (page) => {
      await page.goto("/settings");
      await click(page.getByRole("button", { name: "Connect Google" }));
      await visible(page.getByRole("dialog"));
    },
  },
  {
    name: "settings-delete-account",
    open: async (page) => {
      await page.goto("/settings");
      await click(page.getByRole("button", { name: "Delete account" }));
      await visible(page.getByRole("dialog"));
    },
  },
  { name: "not-found", open: (page) => page.goto("/nowhere").then(() => heading(page, "404 Page Not Found")) },
  {
    name: "project-not-found",
    open: async (page) => {
      await page.goto("/projects/999999");
      await visible(page.getByText("This project does not exist or has been deleted."));
    },
  },
];

/** Parts of pages checked above, for the gallery only. */
const PICTURES: Screen[] = [
  {
    name: "settings-sites",
    open: (page) => page.goto("/settings").then(() => heading(page, "Sites")),
    top: (page) => page.getByRole("heading", { name: "Sites" }),
  },
  {
    name: "settings-account",
    open: (page) => page.goto("/settings").then(() => heading(page, "Sign-in details")),
    top: (page) => page.getByRole("heading", { name: "Account", exact: true }),
  },
  {
    name: "settings-sessions",
    open: (page) => page.goto("/settings").then(() => heading(page, "Open sessions")),
    top: (page) => page.getByRole("heading", { name: "Ways to sign in" }),
  },
];

/** Screens of a user who has just registered. */
const EMPTY: Screen[] = [
  { name: "home-empty", open: (page) => page.goto("/").then(() => heading(page, "Your Projects")) },
  {
    name: "content-empty",
    open: (page) => page.goto("/content").then(() => visible(page.getByText("No content found"))),
  },
  {
    name: "assistant-error",
    open: async (page) => {
      await page.goto("/assistant");
      await visible(page.getByText("Please add your OpenAI API key in the settings page to use the AI assistant."));
    },
  },
  {
    name: "wordpress-publishing-credentials",
    open: async (page) => {
      await page.goto("/wordpress-publishing");
      await visible(page.getByText("WordPress Credentials Required"));
    },
  },
  {
    name: "queue-monitor-empty",
    open: async (page) => {
      await page.goto("/queue-monitor");
      await visible(page.getByText("No processing jobs found"));
    },
  },
  { name: "settings-empty", open: (page) => page.goto("/settings").then(() => heading(page, "API Settings")) },
];

/** Screens of a visitor who is not signed in. */
const VISITOR: Screen[] = [
  { name: "auth", open: (page) => page.goto("/auth").then(() => visible(page.getByLabel("Username"))) },
  {
    name: "auth-register",
    open: async (page) => {
      await page.goto("/auth");
      await page.getByRole("tab", { name: "Register" }).click();
      await visible(page.getByRole("tabpanel").getByLabel(/e-?mail/i));
    },
  },
  {
    name: "auth-forgot",
    open: async (page) => {
      await page.goto("/auth");
      await page.getByRole("button", { name: "Forgot password?" }).click();
      await heading(page, "Reset Password");
    },
  },
  { name: "auth-forgot-page", open: (page) => page.goto("/auth/forgot").then(() => heading(page, /./)) },
  { name: "auth-reset", open: (page) => page.goto("/auth/reset#token=none").then(() => heading(page, /./)) },
];

/** The rules whose result depends on the theme. */
const COLOUR_RULES = { type: "rule" as const, values: ["color-contrast", "link-in-text-block"] };

/** Checks a screen in both themes at every width: no axe violations and no horizontal overflow. */
async function checkScreen(page: Page, { name, open, top }: Screen): Promise<void> {
  const found: string[] = [];
  page.setDefaultTimeout(10_000);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await open(page, shown);
  for (const size of WIDTHS) {
    await page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const view = `${size.width}-${colorScheme}`;
      for (const { id, nodes } of await axeViolations(page, colorScheme === "dark" ? COLOUR_RULES : undefined)) {
        found.push(`${view} ${id}: ${nodes.map(({ html }) => html.slice(0, 110)).join(" | ")}`);
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (overflow > 0) found.push(`${view} is ${overflow} px too wide`);
      if (isGallery && name in GALLERY && GALLERY_VIEWS.includes(view)) {
        // After axe, the opened tab shows a focus ring.
        const focusedTab = page.locator("[role='tab']:focus");
        if ((await focusedTab.count()) > 0) await focusedTab.evaluate((tab: HTMLElement) => tab.blur());
        await top?.(page).evaluate((element) => element.scrollIntoView({ block: "start" }));
        await page.screenshot({ path: `${GALLERY_FOLDER}/${name}-${view}.png` });
      }
    }
  }
  expect(found).toEqual([]);
  checked += 1;
}

let checked = 0;
let shown: Showcase = {
  projectId: 0,
  topicId: 0,
  emptyProjectId: 0,
  jobId: "",
  pieces: { full: "", unsourced: "", outlined: "", titleOnly: "", failed: "" },
};

/** Registers a user, once for each worker's share, and checks each screen as that user in a test of its own. */
function asUser(username: string, screens: Screen[], prepare: (context: BrowserContext, id: string) => Promise<void>) {
  let cookies: Awaited<ReturnType<BrowserContext["cookies"]>> = [];
  test.beforeAll(async ({ browser }) => {
    const context = await browser.newContext({ baseURL: process.env.E2E_BASE_URL });
    // A second share, and a worker restarted after a failure, would find the name taken.
    await prepare(context, await registerUser(context, `${username}.${Date.now()}`));
    cookies = await context.cookies();
    await context.close();
  });
  for (const screen of screens) {
    test(screen.name, async ({ page, context }) => {
      await context.addCookies(cookies);
      await checkScreen(page, screen);
    });
  }
}

// Each worker takes a share: this is by far the longest file and, because of its own options below, the last one.
test.describe.configure({ mode: "parallel" });
// Tracing every step of axe costs more than the steps.
test.use({ trace: "off" });
test.afterAll(() => {
  process.stdout.write(
    `axe: ${checked} screens at ${WIDTHS.length} widths in ${SCHEMES.length} themes, 0 violations\n`,
  );
});

test.describe("with some of everything", () => {
  asUser("maren.holt", isGallery ? [...SCREENS, ...PICTURES] : SCREENS, async (context, id) => {
    await connectSamples(context);
    shown = await fillShowcase(process.env.E2E_DATABASE_URL ?? "", id);
  });
});

test.describe("with nothing yet", () => {
  asUser("newcomer", EMPTY, () => Promise.resolve());
});

test.describe("before signing in", () => {
  for (const screen of VISITOR) {
    test(screen.name, ({ page }) => checkScreen(page, screen));
  }
});

test("the check reports what it finds, each time it looks at a document", async ({ page }) => {
  await page.setContent("<html lang=en><title>x</title><main><h1 style='color:#ccc'>Pale</h1><input></main>");
  const found = async (rules?: typeof COLOUR_RULES) => (await axeViolations(page, rules)).map(({ id }) => id);
  expect(await found()).toEqual(expect.arrayContaining(["label", "color-contrast"]));
  expect(await found(COLOUR_RULES)).toEqual(["color-contrast"]);
});
