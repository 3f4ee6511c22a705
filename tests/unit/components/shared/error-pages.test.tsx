/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { renderToStaticMarkup } from "react-dom/server";
import GlobalError from "@/app/global-error";
import { ErrorState } from "@/components/shared/error-state";
import { PageFailure } from "@/components/shared/page-failure";
import { ApiError } from "@/lib/client/api";
import { renderScreen } from "@/tests/support/render";

const REQUEST_ID = "1a2b3c4d-0000-4000-8000-000000000000";
const details = { requestId: REQUEST_ID };

const broken = (digest?: string) => Object.assign(new Error("relation projects does not exist"), { digest });

describe("a page that failed", () => {
  it("shows the request id, hides the reason, and tries again", async () => {
    const retry = jest.fn();
    const { user, container } = renderScreen(<PageFailure error={broken(REQUEST_ID)} retry={retry} />);
    expect(screen.getByText(REQUEST_ID)).toBeVisible();
    expect(container).not.toHaveTextContent("relation");
    expect(screen.getByRole("link", { name: "Go to Home" })).toHaveAttribute("href", "/");
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(retry).toHaveBeenCalledTimes(1);
  });

  it("asks for the time instead when the browser failed, since no log holds that", () => {
    const { container } = renderScreen(<PageFailure error={broken()} retry={jest.fn()} />);
    expect(container).toHaveTextContent("contact the operator of this server and say when it happened.");
    expect(container.querySelector("code")).toBeNull();
  });
});

it("the global error page says the same without scripts or inline handlers", () => {
  const html = renderToStaticMarkup(<GlobalError error={broken(REQUEST_ID)} retry={jest.fn()} />);
  const page = new DOMParser().parseFromString(html, "text/html");
  expect(page.documentElement.lang).toBe("en");
  expect(page.title).toBe("Something went wrong – Content Planner");
  expect(page.querySelector("main h1")?.textContent).toBe("Something went wrong");
  expect(page.querySelector("main code")?.textContent).toBe(REQUEST_ID);
  expect(page.querySelectorAll("script, style, [style]")).toHaveLength(0);
  expect(html).not.toMatch(/relation|\son\w+=/);
});

describe("an error in place of missing data", () => {
  it("shows the request id of a server failure, and tries again", async () => {
    const onRetry = jest.fn();
    const error = new ApiError(500, "Broken.", true, "INTERNAL", {}, details);
    const { user } = renderScreen(<ErrorState error={error} onRetry={onRetry} />);
    expect(screen.getByRole("alert")).toHaveTextContent("Broken.Reference: 1a2b3c4d");
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(onRetry).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["an error that the person can fix", new ApiError(404, "Gone.", true, "NOT_FOUND", {}, details)],
    ["a response from another server", new ApiError(502, "<html>Bad gateway</html>", false)],
    ["no response at all", new TypeError("Failed to fetch")],
  ])("has no reference for %s", (_, error) => {
    renderScreen(<ErrorState error={error} onRetry={jest.fn()} />);
    const alert = screen.getByRole("alert");
    expect(alert).not.toHaveTextContent("Reference");
    expect(alert).not.toHaveTextContent("Bad gateway");
  });
});
