/** @jest-environment jsdom */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { api } from "@/lib/client/api";
import { Providers } from "@/lib/client/providers";
import { keys } from "@/lib/client/query-keys";
import { answerCalls, failure } from "@/tests/support/render";

let client: QueryClient;

function Child() {
  client = useQueryClient();
  return null;
}

/** A call under way that comes back refused, while the cache knows this of who is here. */
async function refusedCall(user: object | null) {
  // Where the way out leads to: nothing is left to navigate.
  window.history.pushState(null, "", "/auth");
  answerCalls({
    "GET /api/queue/status": () => ({ status: 401, json: failure("Please sign in.", "UNAUTHENTICATED") }),
  });
  render(
    <Providers>
      <Child />
    </Providers>,
  );
  client.setQueryData(keys.user(), user);
  client.setQueryData(keys.projects(), []);
  await expect(api("GET", "/api/queue/status")).rejects.toMatchObject({ status: 401 });
}

it("forgets everything when a call finds the session ended", async () => {
  await refusedCall({ username: "maren.holt" });
  expect(client.getQueryData(keys.projects())).toBeUndefined();
});

it("leaves it to whoever signed out on purpose to lead on", async () => {
  await refusedCall(null);
  expect(client.getQueryData(keys.projects())).toEqual([]);
});
