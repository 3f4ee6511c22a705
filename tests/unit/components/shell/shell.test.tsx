/** @jest-environment jsdom */
import { act, screen, within } from "@testing-library/react";
import { Shell } from "@/components/shell/shell";
import { type SidebarState, sidebarStateOf } from "@/components/shell/sidebar-state";
import { keys } from "@/lib/client/query-keys";
import { polyfillBrowser, renderScreen } from "@/tests/support/render";

let pathname = "/";
jest.mock("next/navigation", () => ({ usePathname: () => pathname }));

beforeEach(() => {
  pathname = "/";
  // biome-ignore lint/suspicious/noDocumentCookie: what the sidebar itself writes.
  document.cookie = "sidebar_state=; max-age=0; path=/";
});

const PHONE = "(max-width: 767.98px)";

function open({ initial = "auto" as SidebarState, width = "wide" as "wide" | "phone" } = {}) {
  const result = renderScreen(
    <Shell initialSidebar={initial} userMenu={<p>menu</p>}>
      <h1>Page</h1>
    </Shell>,
  );
  polyfillBrowser((query) => (width === "phone" ? query === PHONE : query !== PHONE));
  return { ...result, state: () => result.container.querySelector("[data-sidebar]")?.getAttribute("data-sidebar") };
}

it("is titled 'Content Planner' and links to the five screens", () => {
  open();
  const sidebar = within(screen.getByRole("complementary", { name: "Sidebar" }));
  expect(sidebar.getByText("Content Planner")).toBeVisible();
  const links = sidebar.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links).toEqual([
    ["Home", "/"],
    ["Content", "/content"],
    ["WordPress", "/wordpress-publishing"],
    ["Queue Monitor", "/queue-monitor"],
    ["Settings", "/settings"],
  ]);
});

it.each([
  ["/", "Home"],
  ["/projects/3", "Home"],
  ["/content/abc", "Content"],
  ["/wp-publishing/3", "WordPress"],
  ["/settings", "Settings"],
])("marks the current screen: %s belongs to %s", (path, label) => {
  pathname = path;
  open();
  const nav = within(screen.getByRole("navigation", { name: "Main" }));
  const marked = nav.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
  expect(marked.map((link) => link.textContent)).toEqual([label]);
});

it("is toggled by its button and by ctrl+B or cmd+B, and remembered in a cookie", async () => {
  const { user, state } = open();
  await user.click(screen.getByRole("button", { name: "Toggle sidebar" }));
  expect(state()).toBe("collapsed");
  expect(document.cookie).toContain("sidebar_state=collapsed");
  await user.keyboard("{Control>}b{/Control}");
  expect(state()).toBe("open");
  await user.keyboard("{Meta>}b{/Meta}");
  expect(state()).toBe("collapsed");
  await user.keyboard("b");
  expect(state()).toBe("collapsed");
});

it("is rendered as it was left", () => {
  expect(open({ initial: sidebarStateOf("collapsed") }).state()).toBe("collapsed");
  expect(sidebarStateOf("nonsense")).toBe("auto");
});

it("slides in on a phone, and closes on Escape and after choosing a screen", async () => {
  const { user, state } = open({ width: "phone" });
  await user.click(screen.getByRole("button", { name: "Toggle sidebar" }));
  const panel = screen.getByRole("dialog", { name: "Content Planner" });
  expect(state()).toBe("auto");
  await user.keyboard("{Escape}");
  expect(panel).not.toBeInTheDocument();
  await user.keyboard("{Control>}b{/Control}");
  // jsdom cannot follow a link.
  window.addEventListener("click", (event) => event.preventDefault(), { once: true });
  await user.click(within(screen.getByRole("dialog")).getByRole("link", { name: "Settings" }));
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

it("shows the current project in the breadcrumb once its title is known", async () => {
  pathname = "/projects/3";
  const { client } = open();
  const bar = screen.getByRole("navigation", { name: "Breadcrumb" });
  expect(bar).toHaveTextContent("Home/Project");
  act(() => {
    client.setQueryData(keys.project(3), { id: 3, title: "Garden" });
  });
  expect(await within(bar).findByText("Garden")).toHaveAttribute("aria-current", "page");
});
