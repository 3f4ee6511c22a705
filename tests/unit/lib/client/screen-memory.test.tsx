/** @jest-environment jsdom */
import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { LEADS_BACK, noteClick, noteNavigation, notePageLoad } from "@/lib/client/screen-memory";
import { forgetTab, type Lifetime } from "@/lib/client/tab-storage";
import { useRememberedIds } from "@/lib/client/use-remembered-ids";

beforeEach(() => {
  forgetTab();
  window.history.replaceState(null, "", "/content");
});
afterEach(() => jest.restoreAllMocks());

function Folds({ path, lifetime }: { path: string; lifetime: Lifetime }) {
  const [ids, remember] = useRememberedIds(path, "open", lifetime);
  return (
    <button type="button" onClick={() => remember([...(ids ?? []), "7"])}>
      {ids?.join() ?? "nothing"}
    </button>
  );
}

/** Opens a screen that says what it remembers, and whose button adds to it. */
function open({ userId = "maren", path = "/content", lifetime = "tab" as Lifetime } = {}) {
  const client = createQueryClient();
  client.setQueryData(keys.user(), { id: userId });
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <Folds path={path} lifetime={lifetime} />
    </QueryClientProvider>,
  );
  const button = screen.getByRole("button");
  return { button, add: () => userEvent.click(button), unmount };
}

/** What the screen remembers when it is opened again. */
function remembered(options?: Parameters<typeof open>[0]): string | null {
  const { button, unmount } = open(options);
  const text = button.textContent;
  unmount();
  return text;
}

async function leaveOpen(options?: Parameters<typeof open>[0]) {
  const { add, unmount } = open(options);
  await add();
  unmount();
}

function click(attributes: object) {
  const link = Object.assign(document.createElement("a"), { href: "/content" });
  for (const name of Object.keys(attributes)) link.setAttribute(name, "true");
  document.body.append(link);
  noteClick({ target: link } as unknown as Event);
  link.remove();
}

it("remembers a screen by its path and user", async () => {
  await leaveOpen();
  expect(remembered()).toBe("7");
  expect(remembered({ path: "/content/7" })).toBe("nothing");
  expect(remembered({ userId: "ines" })).toBe("nothing");
});

it("forgets at sign-out, also what is on the screen", async () => {
  const { button, add } = open();
  await add();
  expect(button).toHaveTextContent("7");
  act(() => forgetTab());
  expect(button).toHaveTextContent("nothing");
  expect(Object.keys(sessionStorage)).toEqual([]);
});

it.each([
  ["tab", ["tab:maren:screen:/content:open"]],
  ["page", []],
] as const)("keeps what lasts as long as the %s in the browser's storage: %j", async (lifetime, stored) => {
  await leaveOpen({ lifetime });
  expect(Object.keys(sessionStorage)).toEqual(stored);
  expect(remembered()).toBe("7");
});

it.each(["null", "{}", "7", "[7]", "{broken", '"7"'])("does not trust the browser's storage: %s", (stored) => {
  sessionStorage.setItem("tab:maren:screen:/content:open", stored);
  expect(["nothing", ""]).toContain(remembered());
});

it("remembers until the page is left where storage is blocked", async () => {
  jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("blocked", "SecurityError");
  });
  await leaveOpen();
  expect(remembered()).toBe("7");
});

describe("a way to the screen", () => {
  it.each([
    ["the back button", "traverse", undefined, "7"],
    ["a link", "push", {}, "nothing"],
    ["a link that leads back", "push", LEADS_BACK, "7"],
    ["a replaced address", "replace", undefined, "nothing"],
  ] as const)("by %s finds: %4$s", async (_way, kind, link, found) => {
    await leaveOpen();
    if (link) click(link);
    noteNavigation("/content?search=soil", kind);
    expect(remembered()).toBe(found);
  });

  it("forgets this path alone, and a link that leads back counts once", async () => {
    await leaveOpen();
    await leaveOpen({ path: "/content/7" });
    click(LEADS_BACK);
    noteNavigation("/projects/3", "push");
    noteNavigation(`${window.location.origin}/content`, "push");
    expect(remembered()).toBe("nothing");
    expect(remembered({ path: "/content/7" })).toBe("7");
  });

  it.each([
    ["reload", "7"],
    ["back_forward", "7"],
    ["navigate", "nothing"],
  ])("by a whole page of the kind %s finds: %s", async (type, found) => {
    await leaveOpen();
    performance.getEntriesByType = () => [{ type }] as unknown as PerformanceEntryList;
    notePageLoad();
    expect(remembered()).toBe(found);
  });
});
