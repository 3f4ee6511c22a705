/** @jest-environment jsdom */
import { warnBeforeUnload } from "@/lib/client/leave-guard";
import { loadPage } from "@/lib/client/load-page";
import { NOT_STORABLE, registerDraft } from "@/lib/client/session-drafts";
import { endSession, sessionEnd, signInAddress, signInAgain, toastSessionEnd } from "@/lib/client/session-end";
import { toasts } from "@/lib/client/toast";

jest.mock("@/lib/client/load-page", () => ({ loadPage: jest.fn() }));

const clear = jest.fn();
const release: (() => void)[] = [];
const go = (address: string) => window.history.replaceState(null, "", address);

beforeEach(() => {
  go("/projects/3?tab=topics");
  toasts.open(area);
  sessionEnd.close();
});
afterEach(() => {
  for (const each of release.splice(0)) each();
  jest.clearAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

const type = (value: unknown) => release.push(registerDraft("body", { userId: "maren", take: () => value }));
const area = { show: jest.fn(), withdraw: jest.fn(), clear: jest.fn() };
const toastText = () => area.show.mock.lastCall?.[0].description;

describe("a session that ends", () => {
  it("without unsaved text opens the sign-in page, which says why and returns to the page", () => {
    endSession("maren", clear);
    expect(clear).toHaveBeenCalledTimes(1);
    expect(sessionEnd.read()).toBeNull();
    expect(loadPage).toHaveBeenCalledWith("/auth?next=%2Fprojects%2F3%3Ftab%3Dtopics");
    go("/auth");
    toastSessionEnd();
    expect(toastText()).toBe("Please sign in again.");
  });

  it("opens the sign-in page for an unknown user, whatever is typed", () => {
    type("typed");
    endSession(undefined, clear);
    expect(clear).toHaveBeenCalledTimes(1);
    expect(loadPage).toHaveBeenCalledTimes(1);
    expect(localStorage).toHaveLength(0);
  });

  it("stays on the sign-in page", () => {
    go("/auth");
    endSession("maren", clear);
    expect(clear).toHaveBeenCalledTimes(1);
    expect(loadPage).not.toHaveBeenCalled();
  });

  it("keeps the page while it has unsaved text, and notifies its listeners", () => {
    const listener = jest.fn();
    const stop = sessionEnd.subscribe(listener);
    type("typed");
    endSession("maren", clear);
    expect(sessionEnd.read()).toMatchObject({ isKept: true });
    expect(listener).toHaveBeenCalledTimes(1);
    expect(clear).not.toHaveBeenCalled();
    expect(loadPage).not.toHaveBeenCalled();
    sessionEnd.close();
    expect(sessionEnd.read()).toBeNull();
    expect(listener).toHaveBeenCalledTimes(2);
    stop();
    sessionEnd.close();
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["may not be stored", () => type(NOT_STORABLE)],
    ["is known to the browser alone", () => release.push(warnBeforeUnload())],
  ])("keeps a page whose text %s", (_what, begin) => {
    begin();
    endSession("maren", clear);
    expect(sessionEnd.read()).toMatchObject({ isKept: false });
    expect(clear).not.toHaveBeenCalled();
    signInAgain();
    go("/auth");
    toastSessionEnd();
    expect(toastText()).toBe("Please sign in again.");
  });

  it("stores the latest text when the user goes to sign in", () => {
    let typed = "typed";
    release.push(registerDraft("body", { userId: "maren", take: () => typed }));
    endSession("maren", clear);
    typed = "typed on";
    signInAgain();
    expect(Object.values({ ...localStorage }).join()).toContain('"typed on"');
    expect(loadPage).toHaveBeenCalledTimes(1);
    go("/auth");
    toastSessionEnd();
    expect(toastText()).toBe("Please sign in again. What you typed is kept in this browser.");
  });
});

describe("the reason on the sign-in page", () => {
  it("is dropped when another page loads first", () => {
    signInAgain();
    toastSessionEnd();
    expect(toastText()).toBeUndefined();
    go("/auth");
    toastSessionEnd();
    expect(toastText()).toBeUndefined();
  });

  it("is missing when the user opens the page directly", () => {
    go("/auth");
    toastSessionEnd();
    expect(toastText()).toBeUndefined();
  });
});

it("adds no return path when signing in from the start page", () => {
  go("/");
  expect(signInAddress()).toBe("/auth");
});
