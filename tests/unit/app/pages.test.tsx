/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import type { ReactElement } from "react";
import HomePage from "@/app/(app)/(home)/page";
import MissingPage from "@/app/(app)/[...missing]/page";
import ProjectAssistantPage from "@/app/(app)/assistant/[projectId]/page";
import AssistantPage from "@/app/(app)/assistant/page";
import LibraryPage from "@/app/(app)/content/(library)/page";
import ContentPage from "@/app/(app)/content/[id]/page";
import ProjectPage from "@/app/(app)/projects/[id]/page";
import QueueMonitorPage from "@/app/(app)/queue-monitor/page";
import SettingsPage from "@/app/(app)/settings/page";
import PublishingPage from "@/app/(app)/wordpress-publishing/page";
import ProjectPublishingPage from "@/app/(app)/wp-publishing/[id]/page";
import ForgotPage from "@/app/auth/forgot/page";
import AuthPage from "@/app/auth/page";
import { AuthProvider } from "@/components/account/auth-provider";
import { optionalActor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { contentGroups, ownedContent } from "@/lib/features/content/reads";
import { ownedProject } from "@/lib/features/projects/reads";
import { aPiece, PIECE_ID } from "@/tests/support/pieces";
import { mockApi, renderScreen } from "@/tests/support/render";
import { someUser, USER_ID } from "@/tests/support/user";

// Pages as the server renders them, with mocked reads of one project and one piece.
const ACTOR = { userId: "maren" };
const none = { live: 0, finished: 0, cancelled: 0 };

jest.mock("@/lib/auth/actor", () => ({
  pageActor: async () => ({ userId: "maren" }),
  optionalActor: jest.fn(),
  currentSessionToken: async () => "token",
}));
jest.mock("@/lib/transport/page-failure", () => ({ withRequestId: (page: unknown) => page }));
jest.mock("@/lib/features/account/reads", () => ({}));
jest.mock("@/lib/features/account/reset/reads", () => ({ canMailResets: () => true }));
jest.mock("@/lib/features/account/sessions/reads", () => ({
  openSessions: async () => [],
  recentActivity: async () => [],
}));
jest.mock("@/lib/features/account/own-data/reads", () => ({
  readStorage: async () => ({ usedBytes: 1_234_567, removingBytes: 0, maxBytes: 2 * 1024 ** 3 }),
}));
jest.mock("@/lib/features/account/google/reads", () => ({
  canUseGoogle: () => false,
  signInMethods: async () => ({
    hasPassword: true,
    isGoogleEnabled: false,
    isGoogleConnected: false,
    isEmailVerified: false,
  }),
}));
jest.mock("@/lib/features/content/reads", () => ({
  contentGroups: jest.fn(async () => ({ items: [], nextCursor: null })),
  ownedContent: jest.fn(),
  neighbours: async () => ({ topicId: 7, previous: null, next: { id: mockNextId, title: "Peat-free mixes" } }),
}));
jest.mock("@/lib/features/work/reads", () => ({ queueStatus: async () => mockQueues }));
jest.mock("@/lib/features/projects/reads", () => ({
  listProjects: async () => ({ items: [], nextCursor: null }),
  personaOf: async () => null,
  ownedProject: jest.fn(),
}));
jest.mock("@/lib/features/publishing/reads", () => ({
  recentPublishingJobs: async () => [],
  latestPublishingJob: async () => ({ job: null, engineAwaySince: null }),
  publishingCounts: async () => [],
}));
jest.mock("@/lib/features/sites/reads", () => ({ listSites: async () => [] }));
jest.mock("@/lib/features/topics/reads", () => ({
  listTopics: async () => ({ items: [], nextCursor: null }),
  ownedTopic: async () => ({ name: "T" }),
}));
jest.mock("next/navigation", () => ({
  notFound: () => {
    throw new Error("not found");
  },
  redirect: (path: string) => {
    throw new Error(`redirect to ${path}`);
  },
  useRouter: () => ({}),
  useSearchParams: () => new URLSearchParams(),
}));

const mockNextId = "0c6f2a3b-5b1a-4f0e-9d55-6f1c1f8e4c5d";
const mockQueues = {
  jobs: [],
  outlineQueue: [],
  contentQueue: [],
  needs: [],
  pausedAt: null,
  pace: { outlineQueue: null, contentQueue: null },
  runAddress: null,
  now: "2026-11-21T10:00:00.000Z",
  total: { jobs: none, outlineQueue: none, contentQueue: none },
  counts: { outlinePending: 0, outlineCompleted: 0, contentPending: 0, contentCompleted: 0 },
  engineAwaySince: null,
};

const GARDEN = { id: 3, title: "Garden", description: null, userId: USER_ID, createdAt: "2026-11-03T10:00:00.000Z" };
const READY = { wordpressUrl: "https://b.example.com", wordpressUsername: "e", hasWordpressPassword: true };

beforeEach(() => {
  sessionStorage.clear();
  jest
    .mocked(ownedProject)
    .mockReset()
    .mockResolvedValue({
      ...GARDEN,
      siteId: null,
      writing: { tone: null, language: null, words: null, instructions: null },
    } as never);
  jest
    .mocked(ownedContent)
    .mockReset()
    .mockResolvedValue(aPiece() as never);
  mockApi({
    "GET /api/projects/3/content?limit=1000": () => ({ json: [] }),
    "GET /api/queue/status": () => ({ json: mockQueues }),
    "GET /api/publishing-jobs": () => ({ json: [] }),
  });
});

async function open(page: Promise<ReactElement>) {
  renderScreen(<AuthProvider user={someUser(READY)}>{await page}</AuthProvider>);
}

const at = (id: string) => ({ params: Promise.resolve({ id }) });
const heading = (name: string) => screen.findByRole("heading", { name, level: 1 });
const noQuery = { searchParams: Promise.resolve({}) };

it("/ is the projects dashboard", async () => {
  await open(HomePage());
  expect(await heading("Welcome, maren.holt")).toBeVisible();
  expect(screen.getByRole("heading", { name: "Your Projects" })).toBeVisible();
});

it("/auth is the sign-in page", async () => {
  jest.mocked(optionalActor).mockResolvedValue(undefined);
  await open(AuthPage(noQuery));
  expect(screen.getByRole("tab", { name: "Login" })).toBeVisible();
});

it("/auth redirects signed-in users to /", async () => {
  jest.mocked(optionalActor).mockResolvedValue(ACTOR as never);
  await expect(AuthPage(noQuery)).rejects.toThrow(/^redirect to \/$/);
});

it("/auth/forgot redirects signed-in users to / or to the page they asked for", async () => {
  jest.mocked(optionalActor).mockResolvedValue(ACTOR as never);
  await expect(ForgotPage(noQuery)).rejects.toThrow(/^redirect to \/$/);
  const withNext = { searchParams: Promise.resolve({ next: "/settings" }) };
  await expect(ForgotPage(withNext)).rejects.toThrow(/^redirect to \/settings$/);
  jest.mocked(optionalActor).mockResolvedValue(undefined);
  await open(ForgotPage(noQuery));
  expect(await heading("Reset Password")).toBeVisible();
});

it("/projects/{id} is the project, its id read as a number", async () => {
  await open(ProjectPage(at("003")));
  expect(await heading("Garden")).toBeVisible();
  expect(ownedProject).toHaveBeenCalledWith(ACTOR, 3);
});

it.each(["abc", "3x", "1.5", "-1", "0", `${"0".repeat(200)}3`])("/projects/%s is not found", async (id) => {
  await expect(ProjectPage(at(id))).rejects.toThrow("not found");
  expect(ownedProject).not.toHaveBeenCalled();
});

const assistantFor = (projectId: string) => ProjectAssistantPage({ params: Promise.resolve({ projectId }) });

it.each([
  ["without a project", () => AssistantPage(), null] as const,
  ["with a project", () => assistantFor("3"), 3] as const,
  ["with leading zeros in the project id", () => assistantFor("007"), 3] as const,
])("/assistant/{projectId?} is the planning assistant %s", async (_, page, projectId) => {
  const session = { response: "Hello!", type: "chat", sessionId: "6f6d2b1c-2f57-4f0a-9a39-8f2f1c0d9e11" };
  const calls = mockApi({ "POST /api/chat/start": () => ({ json: session }) });
  await open(page());
  expect(await heading("Content planning assistant")).toBeInTheDocument();
  expect(await screen.findByText("Hello!")).toBeVisible();
  expect(calls.at(-1)?.body).toEqual({ projectId });
});

it("/assistant/abc is not found", async () => {
  await expect(assistantFor("abc")).rejects.toThrow("not found");
});

it("/content is the library", async () => {
  await open(LibraryPage(noQuery));
  expect(await heading("Content Library")).toBeVisible();
});

it.each(["SEARCH_TOO_BROAD", "RATE_LIMITED", "SERVICE_UNAVAILABLE"] as const)(
  "/content opens when its search is refused with %s",
  async (type) => {
    jest.mocked(contentGroups).mockRejectedValueOnce(new AppError(type));
    await open(LibraryPage({ searchParams: Promise.resolve({ search: "soil" }) }));
    expect(await heading("Content Library")).toBeVisible();
  },
);

it("/content/{id} is the editor", async () => {
  await open(ContentPage({ ...at(PIECE_ID), ...noQuery }));
  expect(await heading("Bottom watering, explained")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Save Changes" })).toBeVisible();
  const [next] = screen.getAllByRole("link", { name: "Next piece: Peat-free mixes" });
  expect(next).toHaveAttribute("href", `/content/${mockNextId}`);
});

it("/content/{id}?tab=preview opens on the Preview", async () => {
  await open(ContentPage({ ...at(PIECE_ID), searchParams: Promise.resolve({ tab: "preview" }) }));
  expect(await screen.findByRole("tab", { name: "Preview", selected: true })).toBeVisible();
});

it("/content/{id} opens on the text whatever else its address names", async () => {
  await open(ContentPage({ ...at(PIECE_ID), searchParams: Promise.resolve({ tab: ["preview", "x"] }) }));
  expect(await screen.findByRole("tab", { name: "Edit", selected: true })).toBeVisible();
});

it("/content/{id} is not found when the piece is missing", async () => {
  jest.mocked(ownedContent).mockRejectedValue(new AppError("NOT_FOUND"));
  await expect(ContentPage({ ...at(PIECE_ID), ...noQuery })).rejects.toThrow("not found");
});

it("/wordpress-publishing is the project picker", async () => {
  await open(PublishingPage());
  expect(await heading("WordPress Publishing to b.example.com")).toBeVisible();
  expect(screen.getByPlaceholderText("Search projects...")).toBeVisible();
});

it("/wp-publishing/{id} is the publishing screen of one project", async () => {
  await open(ProjectPublishingPage(at("3")));
  expect(await heading("Garden")).toBeVisible();
  expect(await screen.findByRole("button", { name: "Publish All Content" })).toBeVisible();
});

it("/queue-monitor is the monitor", async () => {
  await open(QueueMonitorPage());
  expect(await heading("Queue Monitor")).toBeVisible();
});

it("/settings shows the profile settings", async () => {
  await open(SettingsPage(noQuery));
  expect(await heading("Profile Settings")).toBeVisible();
  expect(screen.getByRole("form", { name: "API Settings" })).toBeVisible();
  expect(screen.getByText("1.1 MB of 2 GB stored")).toBeVisible();
  const regions = screen.getAllByRole("region").map((region) => region.getAttribute("aria-labelledby") ?? "");
  const titles = regions.map((id) => document.getElementById(id)?.textContent);
  const order = [
    "AI provider",
    "Blogging site",
    "Sign-in details",
    "Password",
    "Ways to sign in",
    "Open sessions",
    "Recent account activity",
    "Export",
    "Delete account",
  ];
  expect(titles.filter((title) => order.includes(title ?? ""))).toEqual(order);
});

it("any other path is not found", () => {
  expect(() => MissingPage()).toThrow("not found");
});
