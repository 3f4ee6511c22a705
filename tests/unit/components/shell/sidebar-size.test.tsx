/** @jest-environment jsdom */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { screen } from "@testing-library/react";
import { Shell } from "@/components/shell/shell";
import { rememberSidebar } from "@/components/shell/sidebar-state";
import { renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ usePathname: () => "/" }));

// jsdom applies no styles: the classes' values are read from the style sheets.
const styles = ["tokens.css", "globals.css"].map((file) => readFileSync(join(process.cwd(), "app", file), "utf8"));
const sizeOf = (name: string) => new RegExp(`^\\s*${name}: ([^;]+);`, "m").exec(styles.join("\n"))?.[1];

function open() {
  return renderScreen(
    <Shell initialSidebar="open" userMenu={null}>
      <h1>Page</h1>
    </Shell>,
  );
}

it("is 16rem wide, 3rem as a rail", () => {
  open();
  const sidebar = screen.getByRole("complementary", { name: "Sidebar" });
  expect(sidebar).toHaveClass("w-(--sidebar-width)");
  expect(sidebar).toHaveClass("group-data-[sidebar=collapsed]/shell:w-(--sidebar-width-icon)");
  expect([sizeOf("--sidebar-width"), sizeOf("--sidebar-width-icon")]).toEqual(["16rem", "3rem"]);
});

it("is a panel of 18rem that slides in below 768px", async () => {
  const { user } = open();
  window.matchMedia = (query: string) =>
    Object.assign(new EventTarget(), { matches: query === "(max-width: 767.98px)", media: query }) as MediaQueryList;
  await user.click(screen.getByRole("button", { name: "Toggle sidebar" }));
  expect(screen.getByRole("dialog", { name: "Content Planner" })).toHaveClass("w-(--sidebar-width-mobile)");
  expect([sizeOf("--sidebar-width-mobile"), sizeOf("--breakpoint-md")]).toEqual(["18rem", "768px"]);
});

it("is remembered for seven days", () => {
  const written = jest.spyOn(document, "cookie", "set");
  rememberSidebar("collapsed");
  expect(written.mock.calls).toEqual([["sidebar_state=collapsed; path=/; max-age=604800; samesite=lax"]]);
});
