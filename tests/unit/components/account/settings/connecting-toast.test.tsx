/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { ConnectingToast } from "@/components/account/settings/connecting-toast";
import { CONNECTING_OUTCOMES } from "@/lib/features/sites/connecting/schema";
import { renderScreen } from "@/tests/support/render";

const SENTENCES: Record<(typeof CONNECTING_OUTCOMES)[number], RegExp> = {
  ok: /^Your site is connected\./,
  rejected: /^You did not approve the connection there/,
  expired: /^The connection was begun more than ten minutes ago/,
  "other-site": /^Another site answered than the one you entered/,
  forbidden: /^Your account may not publish there/,
  failed: /^Its password could not be saved/,
};

it.each(CONNECTING_OUTCOMES)("says once what became of a connection: %s", async (outcome) => {
  window.history.replaceState(null, "", `/settings?connected=${outcome}`);
  renderScreen(<ConnectingToast outcome={outcome} />);
  expect(await screen.findByText(SENTENCES[outcome])).toBeVisible();
  expect(screen.getByText(outcome === "ok" ? "Success" : "Your site was not connected")).toBeVisible();
  expect(window.location.pathname + window.location.search).toBe("/settings");
});

it.each([undefined, "", "hello", ["ok"]])("says nothing of %p", (outcome) => {
  renderScreen(<ConnectingToast outcome={outcome} />);
  expect(screen.queryByText(/site/)).not.toBeInTheDocument();
});
