/** @jest-environment jsdom */
import { render, screen, within } from "@testing-library/react";
import { MarketingPanel } from "@/components/account/sign-in/marketing-panel";

it("has the tagline and the four benefits", () => {
  render(<MarketingPanel />);
  expect(screen.getByRole("heading")).toHaveTextContent("Create engaging content that connects with your audience");
  const benefits = within(screen.getByRole("list")).getAllByRole("listitem");
  expect(benefits.map(({ textContent }) => textContent)).toEqual([
    "Plan and organise content strategy",
    "Write SEO-optimised posts",
    "Manage multiple projects",
    "Track content performance",
  ]);
});
