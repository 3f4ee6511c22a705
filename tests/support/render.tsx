import { type QueryClient, QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { configure, fireEvent, type RenderResult, render, screen, waitFor, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactElement, ReactNode } from "react";
import { SaveClock } from "@/components/content/save-clock";
import { SessionEnded } from "@/components/shared/session-ended";
import { Toaster } from "@/components/shared/toaster";
import { TooltipProvider } from "@/components/ui/tooltip";
import { invalidateOnApiCalls } from "@/lib/client/invalidation";
import { Providers } from "@/lib/client/providers";
import { createQueryCache } from "@/lib/client/query-cache";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { sessionEnd } from "@/lib/client/session-end";
import { stopSaving } from "@/lib/client/sign-out";
import { forgetTab } from "@/lib/client/tab-storage";
import { toasts } from "@/lib/client/toast";
import { aReview } from "@/tests/support/pieces";

// What the browser loads lazily can take more than a second on a busy machine.
configure({ asyncUtilTimeout: 5_000 });

// On screens a test saves: a slow machine would save by itself before that. draft-saver.test.ts and the browser have the clock.
SaveClock.prototype.plan = () => undefined;

// jsdom matches every rule of the notifications' style sheet, which comes with their code, against each element whose
// style is asked for.
beforeAll(async () => {
  await import("@/components/shared/toaster-panel");
  for (const sheet of document.querySelectorAll("head style")) sheet.remove();
});

let stopFollowing: () => void = () => undefined;
afterEach(() => {
  stopFollowing();
  // An edit that a test left unsaved would be sent to the next one.
  stopSaving();
});

/** Renders with a fresh query cache, tooltips and the notification area. */
export function renderScreen(content: ReactElement): RenderResult & {
  client: ReturnType<typeof createQueryClient>;
  user: UserEvent;
} {
  polyfillBrowser();
  // Left over from the previous test.
  toasts.clear();
  forgetTab();
  const client = createQueryClient(createQueryCache());
  stopFollowing = invalidateOnApiCalls(client);
  const result = render(
    <QueryClientProvider client={client}>
      <TooltipProvider>{content}</TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  );
  return { ...result, client, user: userEvent.setup() };
}

/**
 * Renders as after a full page load of this user, with the handler of an ended session. The test mocks usePathname of
 * next/navigation and lib/client/load-page.
 */
export function renderSignedIn(screen: ReactElement, userId = "maren"): RenderResult & { user: UserEvent } {
  polyfillBrowser();
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

/** The response to every call without a session. */
export const SIGNED_OUT = { status: 401, json: failure("Please sign in to continue.", "UNAUTHENTICATED") };

/** What jsdom lacks and Radix and sonner need. */
export function polyfillBrowser(matches: (query: string) => boolean = () => false): void {
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
  // jsdom has no layout; without a height, a virtualised list would render endlessly.
  Object.defineProperty(HTMLElement.prototype, "offsetHeight", { configurable: true, value: 40 });
}

/** Closes the notification with this text, to reveal the next one. */
export async function closeToast(words: string): Promise<void> {
  const card = (await screen.findByText(words)).closest(".toast") as HTMLElement;
  fireEvent.click(within(card).getByRole("button", { name: "Close" }));
  await waitFor(() => expect(card).not.toBeInTheDocument());
}

/** Presses a button that publishes, updates or unpublishes, and answers the question that it asks with the same verb. */
export async function pressAndConfirm(user: UserEvent, pressed: HTMLElement): Promise<void> {
  const [verb = ""] = (pressed.getAttribute("aria-label") ?? pressed.textContent ?? "").split(" ");
  await user.click(pressed);
  const question = await screen.findByRole("alertdialog", { name: new RegExp(`^${verb} this piece`) });
  await user.click(within(question).getByRole("button", { name: verb }));
}

export type Call = { method: string; url: string; body: unknown };

/** `link`: a list's Link header with its next page. */
type Answer = { status?: number; json?: unknown; link?: string };

/** A response that is pending until `give`. */
export function pendingAnswer(): { answer: () => Promise<Answer>; give: (answer: Answer) => void } {
  let give: (answer: Answer) => void = () => undefined;
  const answer = new Promise<Answer>((resolve) => {
    give = resolve;
  });
  return { answer: () => answer, give };
}

/**
 * Mocks `fetch` with a table of "METHOD /path" and records the calls. An unknown write fails its test; an unknown GET
 * stays pending.
 */
export function mockApi(table: Record<string, (body: unknown) => Answer | Promise<Answer>>): Call[] {
  const calls: Call[] = [];
  global.fetch = jest.fn(async (url: string, init: RequestInit = {}) => {
    const method = init.method ?? "GET";
    const body = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    calls.push({ method, url, body });
    const answer = table[`${method} ${url}`] ?? (url.startsWith(REVIEWS) ? () => nothingToSay(url) : undefined);
    // A list that is refreshed although the test is not about it.
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

const REVIEWS = "/api/content/reviews?ids=";

/** Nothing is to be said of the pieces of a test that is not about it. */
function nothingToSay(url: string): Answer {
  return {
    json: url
      .slice(REVIEWS.length)
      .split(",")
      .map((id) => aReview({ id })),
  };
}

/** A load failure is shown in place of the data and as a notification. */
export async function expectLoadFailure(title: string): Promise<void> {
  await waitFor(() => expect(screen.getAllByText(title)).toHaveLength(2));
}

/** The server's error body. */
export function failure(error: string, type: string, fields?: Record<string, string[]>) {
  return { error, type, requestId: "req-1", ...(fields ? { fields } : {}) };
}
