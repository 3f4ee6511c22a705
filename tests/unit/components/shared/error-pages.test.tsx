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

describe("a page that broke", () => {
  it("names the request's id, keeps the reason to itself, and tries again", async () => {
    const retry = jest.fn();
    const { user, container } = renderScreen(<PageFailure error={broken(REQUEST_ID)} retry={retry} />);
    expect(screen.getByText(REQUEST_ID)).toBeVisible();
    expect(container).not.toHaveTextContent("relation");
    expect(screen.getByRole("link", { name: "Go to Home" })).toHaveAttribute("href", "/");
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(retry).toHaveBeenCalledTimes(1);
  });

  it("asks for the time instead where the failure was in the browser, which no log knows", () => {
    const { container } = renderScreen(<PageFailure error={broken()} retry={jest.fn()} />);
    expect(container).toHaveTextContent("tell whoever runs this server when it happened.");
    expect(container.querySelector("code")).toBeNull();
  });
});

it("the document for a broken root says the same in a page of its own, without script or handler in its text", () => {
  const html = renderToStaticMarkup(<GlobalError error={broken(REQUEST_ID)} retry={jest.fn()} />);
  const page = new DOMParser().parseFromString(html, "text/html");
  expect(page.documentElement.lang).toBe("en");
  expect(page.title).toBe("Something went wrong – Content Planner");
  expect(page.querySelector("main h1")?.textContent).toBe("Something went wrong");
  expect(page.querySelector("main code")?.textContent).toBe(REQUEST_ID);
  expect(page.querySelectorAll("script, style, [style]")).toHaveLength(0);
  expect(html).not.toMatch(/relation|\son\w+=/);
});

describe("something that did not load", () => {
  it("names the request of a failure of ours, and tries again", async () => {
    const onRetry = jest.fn();
    const error = new ApiError(500, "Broken.", true, "INTERNAL", {}, details);
    const { user } = renderScreen(<ErrorState error={error} onRetry={onRetry} />);
    expect(screen.getByRole("alert")).toHaveTextContent("Broken.Reference: 1a2b3c4d");
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(onRetry).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["a refusal that the person can mend", new ApiError(404, "Gone.", true, "NOT_FOUND", {}, details)],
    ["an answer that is not ours", new ApiError(502, "<html>Bad gateway</html>", false)],
    ["no answer at all", new TypeError("Failed to fetch")],
  ])("has no reference for %s", (_, error) => {
    renderScreen(<ErrorState error={error} onRetry={jest.fn()} />);
    const alert = screen.getByRole("alert");
    expect(alert).not.toHaveTextContent("Reference");
    expect(alert).not.toHaveTextContent("Bad gateway");
  });
});
