/** @jest-environment jsdom */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { api } from "@/lib/client/api";
import { Providers } from "@/lib/client/providers";
import { keys } from "@/lib/client/query-keys";
import { failure, mockApi } from "@/tests/support/render";

let client: QueryClient;

function Child() {
  client = useQueryClient();
  return null;
}

/** Makes a call that is refused while `user` is cached as the current user. */
async function refusedCall(user: object | null) {
  // Already on the page that a sign-out leads to: no navigation follows.
  window.history.pushState(null, "", "/auth");
  mockApi({
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

it("clears the cache when a call finds the session ended", async () => {
  await refusedCall({ username: "maren.holt" });
  expect(client.getQueryData(keys.projects())).toBeUndefined();
});

it("does nothing after a deliberate sign-out, which navigates by itself", async () => {
  await refusedCall(null);
  expect(client.getQueryData(keys.projects())).toEqual([]);
});
