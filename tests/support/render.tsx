import { type QueryClient, QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { fireEvent, type RenderResult, render, screen, waitFor, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactElement, ReactNode } from "react";
import { SessionEnded } from "@/components/shared/session-ended";
import { Toaster } from "@/components/shared/toaster";
import { TooltipProvider } from "@/components/ui/tooltip";
import { followCalls } from "@/lib/client/live";
import { tellingQueryCache } from "@/lib/client/load-failures";
import { Providers } from "@/lib/client/providers";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { sessionEnd } from "@/lib/client/session-end";
import { toasts } from "@/lib/client/toast";

/** What comes late in the browser is here from the start: a test waits a second at most. */
beforeAll(() =>
  Promise.all([
    import("@/components/shared/confirm-panel"),
    import("@/components/shared/session-ended-panel"),
    import("@/components/shared/toaster-panel"),
    import("@/components/ui/dropdown-menu-panel"),
    import("@/components/ui/popover-panel"),
    import("@/components/ui/select-panel"),
    import("@/components/ui/sheet-panel"),
    import("@/components/ui/tooltip-panel"),
  ]),
);

let stopFollowing: () => void = () => undefined;
afterEach(() => stopFollowing());

/** Renders with what every screen stands on: its own query cache, tooltips and the notification area. */
export function renderScreen(content: ReactElement): RenderResult & {
  client: ReturnType<typeof createQueryClient>;
  user: UserEvent;
} {
  fillInBrowser();
  // What the test before has told.
  toasts.clear();
  const client = createQueryClient(tellingQueryCache());
  stopFollowing = followCalls(client);
  const result = render(
    <QueryClientProvider client={client}>
      <TooltipProvider>{content}</TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  );
  return { ...result, client, user: userEvent.setup() };
}

/**
 * Renders as after a full load, for this person and with what hears of a session's end. The test mocks next/navigation's
 * usePathname, and lib/client/load-page, which would leave.
 */
export function renderSignedIn(screen: ReactElement, userId = "maren"): RenderResult & { user: UserEvent } {
  fillInBrowser();
  sessionEnd.close();
  const result = render(
    <Providers>
      <SignedInAs userId={userId}>
        <TooltipProvider>{screen}</TooltipProvider>
        <SessionEnded />
      </SignedInAs>
      <Toaster />
    </Providers>,
  );
  return { ...result, user: userEvent.setup() };
}

function SignedInAs({ userId, children }: { userId: string; children: ReactNode }) {
  const client: QueryClient = useQueryClient();
  if (!client.getQueryData(keys.user())) client.setQueryData(keys.user(), { id: userId, username: userId });
  return children;
}

/** The answer to every call when nobody is signed in. */
export const SIGNED_OUT = { status: 401, json: failure("Please sign in to continue.", "UNAUTHENTICATED") };

/** What jsdom lacks and Radix and sonner ask for. */
export function fillInBrowser(matches: (query: string) => boolean = () => false): void {
  window.matchMedia = (query: string) =>
    Object.assign(new EventTarget(), {
      matches: matches(query),
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }) as MediaQueryList;
  window.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  Element.prototype.hasPointerCapture ??= () => false;
  Element.prototype.setPointerCapture ??= () => undefined;
  Element.prototype.releasePointerCapture ??= () => undefined;
  Element.prototype.scrollIntoView ??= () => undefined;
  window.scrollTo = () => undefined;
  // Nothing has a height here; a list that draws what is near the window would draw without end.
  Object.defineProperty(HTMLElement.prototype, "offsetHeight", { configurable: true, value: 40 });
}

/** Closes the notification that says this, as a person would who wants to see the next one. */
export async function closeToast(words: string): Promise<void> {
  const card = (await screen.findByText(words)).closest(".toast") as HTMLElement;
  fireEvent.click(within(card).getByRole("button", { name: "Close" }));
  await waitFor(() => expect(card).not.toBeInTheDocument());
}

export type Call = { method: string; url: string; body: unknown };

/** `link`: the header in which a list says where it goes on. */
type Answer = { status?: number; json?: unknown; link?: string };

/** An answer that the server has not given yet: `give` gives it. */
export function heldAnswer(): { answer: () => Promise<Answer>; give: (answer: Answer) => void } {
  let give: (answer: Answer) => void = () => undefined;
  const answer = new Promise<Answer>((resolve) => {
    give = resolve;
  });
  return { answer: () => answer, give };
}

/**
 * Answers `fetch` from a table of "METHOD /path" and keeps the calls. An unknown write fails the test that made it, an
 * unknown GET is never answered.
 */
export function answerCalls(table: Record<string, (body: unknown) => Answer | Promise<Answer>>): Call[] {
  const calls: Call[] = [];
  global.fetch = jest.fn(async (url: string, init: RequestInit = {}) => {
    const method = init.method ?? "GET";
    const body = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    calls.push({ method, url, body });
    const answer = table[`${method} ${url}`];
    // A list that is refreshed beside what a test is about.
    if (!answer && method === "GET") return new Promise(() => undefined);
    if (!answer) throw new Error(`No answer for ${method} ${url}`);
    const { status = 200, json, link = null } = await answer(body);
    return {
      ok: status < 400,
      status,
      statusText: "",
      headers: { get: (name: string) => (name === "link" ? link : null) },
      json: async () => json,
      text: async () => JSON.stringify(json),
    };
  }) as unknown as typeof fetch;
  return calls;
}

/** A load failure is told where the data would stand, and by a notification. */
export async function expectLoadFailure(title: string): Promise<void> {
  await waitFor(() => expect(screen.getAllByText(title)).toHaveLength(2));
}

/** A failed call's body, as the server writes it. */
export function failure(error: string, type: string, fields?: Record<string, string[]>) {
  return { error, type, requestId: "req-1", ...(fields ? { fields } : {}) };
}
