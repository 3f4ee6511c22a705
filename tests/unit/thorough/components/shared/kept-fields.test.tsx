/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import type { ReactElement } from "react";
import { AuthProvider } from "@/components/account/auth-provider";
import { SettingsForm } from "@/components/account/settings/settings-form";
import { SignInDetails } from "@/components/account/settings/sign-in-details";
import { SiteForm } from "@/components/account/settings/sites/site-form";
import { ConversationScreen } from "@/components/assistant/conversation-screen";
import { PersonaDialog } from "@/components/projects/persona-dialog";
import { KeywordList } from "@/components/topics/keyword-list";
import { api } from "@/lib/client/api";
import { loadPage } from "@/lib/client/load-page";
import { aKeyword, aTopic } from "@/tests/support/pieces";
import { mockApi, renderSignedIn, SIGNED_OUT } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

jest.mock("next/navigation", () => ({
  useRouter: () => ({ push: jest.fn() }),
  usePathname: () => window.location.pathname,
}));
jest.mock("@/lib/client/load-page", () => ({ loadPage: jest.fn() }));
jest.mock("@/lib/features/sites/actions", () => ({ saveSettingsAction: jest.fn() }));

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  jest.mocked(loadPage).mockClear();
});

const USER = someUser();

type Table = Parameters<typeof mockApi>[0];

function open(screen: ReactElement, table: Table = {}) {
  mockApi({
    "GET /api/queue/status": () => SIGNED_OUT,
    "GET /api/topics/7/keywords": () => ({ json: [] }),
    "POST /api/chat/start": () => ({ json: { response: "Hello!", type: "chat", sessionId: "s" } }),
    ...table,
  });
  return renderSignedIn(<AuthProvider user={USER}>{screen}</AuthProvider>, USER.id);
}

const endSession = () => act(() => expect(api("GET", "/api/queue/status")).rejects.toMatchObject({ status: 401 }));
const dialog = () => screen.findByRole("alertdialog", { name: "Your session has ended" });
const kept = () => JSON.stringify({ ...localStorage });

const METHODS = { hasPassword: true, isGoogleEnabled: false, isGoogleConnected: false, isEmailVerified: true };

describe.each([
  ["a keyword", "Add a keyword to Seed starting indoors", <KeywordList key="k" topic={aTopic()} />],
  ["a message to the assistant", "Type your message", <ConversationScreen key="c" projectId={3} />],
  ["the site's address", "Blogging-site URL", <SettingsForm key="s" />],
  ["a username", "Username", <SignInDetails key="d" methods={METHODS} canMail={false} />],
])("%s typed when the session ends", (_what, label, form) => {
  it("is restored to its field, but not to another user's", async () => {
    const { user, unmount } = open(form);
    const field = await screen.findByLabelText(label);
    await user.clear(field);
    await user.type(field, "https://peat.example");
    await endSession();
    expect(await dialog()).toHaveTextContent("It is kept in this browser");
    unmount();

    const other = renderSignedIn(<AuthProvider user={someUser({ id: "other" })}>{form}</AuthProvider>, "other");
    expect(await screen.findByLabelText(label)).not.toHaveValue("https://peat.example");
    other.unmount();

    open(form);
    await waitFor(() => expect(screen.getByLabelText(label)).toHaveValue("https://peat.example"));
    expect(localStorage).toHaveLength(0);
  });
});

it.each([
  ["POST /api/topics/7/keywords", "Add a keyword to Seed starting indoors", <KeywordList key="k" topic={aTopic()} />],
  ["POST /api/chat/message", "Type your message", <ConversationScreen key="c" projectId={4} />],
])("restores what %s was sending when the session ended", async (call, label, form) => {
  const { user, unmount } = open(form, { [call]: () => SIGNED_OUT });
  await screen.findAllByText(/Hello!|Keywords/);
  await user.type(screen.getByLabelText(label), "soil blocks{Enter}");
  await dialog();
  unmount();
  open(form);
  await waitFor(() => expect(screen.getByLabelText(label)).toHaveValue("soil blocks"));
});

it("does not store a new API key, and stays on the page", async () => {
  const { user } = open(<SettingsForm />);
  await user.type(screen.getByLabelText("Blogging-site URL"), "https://peat.example");
  await user.type(screen.getByLabelText("AI provider API key"), "sk-secret");
  await endSession();
  expect(await dialog()).toHaveTextContent("Sign in in a new tab, then come back here");
  expect(kept()).not.toContain("sk-secret");
  await user.click(screen.getByRole("button", { name: "Stay Here" }));
  expect(screen.getByLabelText("AI provider API key")).toHaveValue("sk-secret");
});

it("stays on the page while a keyword is being edited", async () => {
  const { user } = open(<KeywordList topic={aTopic()} />, {
    "GET /api/topics/7/keywords": () => ({ json: [aKeyword(1, "heat mats")] }),
  });
  await user.click(await screen.findByRole("button", { name: "Edit keyword heat mats" }));
  await user.type(screen.getByRole("textbox", { name: "Edit keyword heat mats" }), "!");
  await endSession();
  expect(await dialog()).toHaveTextContent("Sign in in a new tab, then come back here");
  expect(loadPage).not.toHaveBeenCalled();
});

it("keeps a persona's lists with its fields", async () => {
  const form = <PersonaDialog projectId={3} persona={null} open onOpenChange={() => undefined} />;
  const { user, unmount } = open(form);
  await user.type(screen.getByLabelText("Name"), "Maren");
  await user.type(screen.getByLabelText("Interests"), "seeds{Enter}");
  await endSession();
  await dialog();
  unmount();
  open(form);
  expect(await screen.findByText("seeds")).toBeInTheDocument();
  expect(screen.getByLabelText("Name")).toHaveValue("Maren");
});

it("gives a site's restored address to the button that connects it", async () => {
  const form = <SiteForm site={null} open onOpenChange={() => undefined} />;
  const { user, unmount } = open(form);
  await user.type(screen.getByLabelText("Address"), "https://peat.example");
  await endSession();
  await dialog();
  unmount();
  const calls = mockApi({ "POST /api/wordpress/connect": () => SIGNED_OUT });
  const again = renderSignedIn(<AuthProvider user={USER}>{form}</AuthProvider>, USER.id);
  await waitFor(() => expect(screen.getByLabelText("Address")).toHaveValue("https://peat.example"));
  await again.user.click(screen.getByRole("button", { name: "Connect with WordPress" }));
  await waitFor(() =>
    expect(calls).toEqual([
      expect.objectContaining({ body: expect.objectContaining({ url: "https://peat.example" }) }),
    ]),
  );
});
