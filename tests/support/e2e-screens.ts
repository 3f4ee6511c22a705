import type { Locator, Page } from "@playwright/test";
import type { Showcase } from "@/tests/support/showcase";

/** A screen: its path, heading and main control. */
export type Screen = {
  path: (shown: Showcase) => string;
  /** Opens what is not open initially. */
  open?: (page: Page) => Promise<unknown>;
  heading: (page: Page) => Locator;
  action: (page: Page) => Locator;
};

const h1 = (page: Page) => page.getByRole("main").getByRole("heading", { level: 1 });
const button = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first();
const link = (name: string | RegExp) => (page: Page) => page.getByRole("main").getByRole("link", { name }).first();
const tab = (name: string) => (page: Page) => page.getByRole("tab", { name }).click();
const press = (name: string | RegExp) => (page: Page) => button(name)(page).click();
const dialogTitle = (page: Page) => page.getByRole("dialog").or(page.getByRole("alertdialog")).getByRole("heading");
const inDialog = (name: string) => (page: Page) =>
  page.getByRole("dialog").or(page.getByRole("alertdialog")).getByRole("button", { name, exact: true });

/** For a user with some of everything (showcase.ts). */
export const SIGNED_IN: Record<string, Screen> = {
  home: { path: () => "/", heading: h1, action: button("New Project") },
  "new project": {
    path: () => "/",
    open: press("New Project"),
    heading: dialogTitle,
    action: inDialog("Create Project"),
  },
  "edit project": {
    path: () => "/",
    open: press(/^Edit project/),
    heading: dialogTitle,
    action: inDialog("Save Project"),
  },
  "delete project": { path: () => "/", open: press(/^Delete/), heading: dialogTitle, action: inDialog("Delete") },
  project: {
    path: ({ projectId, topicId }) => `/projects/${projectId}?topic=${topicId}`,
    heading: h1,
    action: button("Create Content Ideas"),
  },
  "all pieces": {
    path: ({ projectId }) => `/projects/${projectId}/pieces`,
    heading: h1,
    action: button("Score"),
  },
  "content ideas": {
    path: ({ projectId }) => `/projects/${projectId}`,
    open: press("Create Content Ideas"),
    heading: dialogTitle,
    action: inDialog("Create Content Ideas"),
  },
  persona: {
    path: ({ projectId }) => `/projects/${projectId}`,
    open: press("Edit buyer persona"),
    heading: dialogTitle,
    action: inDialog("Save Persona"),
  },
  library: { path: () => "/content", heading: h1, action: button(/^Generate Topic Outline$|^Actions for/) },
  "library of a link": {
    path: ({ topicId }) => `/content?topicId=${topicId}&step=text`,
    heading: h1,
    action: button(/^Clear the filter Topic/),
  },
  "empty library": { path: () => "/content?search=snow", heading: h1, action: button("Show all content") },
  editor: {
    path: ({ pieces }) => `/content/${pieces.full}`,
    open: tab("Edit"),
    heading: (page) => page.getByRole("textbox", { name: "Title", exact: true }),
    action: button("Save Changes"),
  },
  preview: {
    path: ({ pieces }) => `/content/${pieces.full}`,
    open: tab("Preview"),
    heading: (page) => page.getByRole("heading", { level: 2 }).first(),
    action: button("Save Changes"),
  },
  outline: {
    path: ({ pieces }) => `/content/${pieces.outlined}`,
    heading: (page) => page.getByRole("list", { name: "Sections" }),
    action: button("Write Content with AI"),
  },
  "search figures": {
    path: ({ pieces }) => `/content/${pieces.full}`,
    open: tab("SEO Assistant"),
    heading: (page) => page.getByRole("heading", { name: "Snippet preview" }),
    action: button("Save Changes"),
  },
  "a title alone": {
    path: ({ pieces }) => `/content/${pieces.titleOnly}`,
    heading: (page) => page.getByRole("textbox", { name: "Title", exact: true }),
    action: button("Generate Outline"),
  },
  assistant: {
    path: ({ projectId }) => `/assistant/${projectId}`,
    heading: (page) => page.getByRole("log"),
    action: button("Send message"),
  },
  "project picker": { path: () => "/wordpress-publishing", heading: h1, action: link("Manage Publishing") },
  publishing: {
    path: ({ projectId }) => `/wp-publishing/${projectId}`,
    heading: h1,
    action: button("Publish All Content"),
  },
  "all content": {
    path: ({ projectId }) => `/wp-publishing/${projectId}`,
    open: tab("All Content"),
    heading: h1,
    action: button(/^Publish with Category$|^Actions for/),
  },
  "queue monitor": { path: () => "/queue-monitor", heading: h1, action: button("Pause") },
  "watched texts": {
    path: ({ jobId }) => `/queue-monitor/${jobId}`,
    heading: h1,
    action: link("Back to Queue Monitor"),
  },
  settings: { path: () => "/settings", heading: h1, action: button("Save Settings") },
  "add site": { path: () => "/settings", open: press("Add site"), heading: dialogTitle, action: inDialog("Add Site") },
  "not found": {
    path: () => "/nowhere",
    heading: h1,
    action: (page) => page.getByRole("main").getByRole("link").first(),
  },
};

export const VISITOR: Record<string, Screen> = {
  "sign in": { path: () => "/auth", heading: (page) => page.getByLabel("Username"), action: button("Login") },
  register: {
    path: () => "/auth",
    open: tab("Register"),
    heading: (page) => page.getByLabel("Username"),
    action: button("Register"),
  },
  "forgotten password": {
    path: () => "/auth",
    open: press("Forgot password?"),
    heading: dialogTitle,
    action: inDialog("Send Reset Link"),
  },
};
