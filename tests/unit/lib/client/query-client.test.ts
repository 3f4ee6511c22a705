import { focusManager, MutationObserver, onlineManager, QueryObserver } from "@tanstack/react-query";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";

const fetchMock = jest.fn<Promise<Response>, [string]>();

beforeEach(() => {
  fetchMock.mockReset();
  global.fetch = fetchMock as unknown as typeof fetch;
});

afterEach(() => onlineManager.setOnline(true));

it("GETs the first part of a key", async () => {
  fetchMock.mockResolvedValueOnce(Response.json([{ id: 1 }]));
  const rows = await createQueryClient().fetchQuery({ queryKey: keys.projects() });
  expect(rows).toEqual([{ id: 1 }]);
  expect(fetchMock.mock.calls[0]?.[0]).toBe("/api/projects");
});

it("reads a 401 for the current user as signed out, and any other 401 as an error", async () => {
  const refusal = () => Response.json({ error: "Sign in.", type: "UNAUTHENTICATED" }, { status: 401 });
  fetchMock.mockImplementation(async () => refusal());
  const client = createQueryClient();
  await expect(client.fetchQuery({ queryKey: keys.user() })).resolves.toBeNull();
  await expect(client.fetchQuery({ queryKey: keys.projects() })).rejects.toThrow("401: Sign in.");
});

it.each([400, 402, 500])("treats a %i for the current user as an error", async (status) => {
  fetchMock.mockResolvedValue(Response.json({ error: "No.", type: "INTERNAL" }, { status }));
  await expect(createQueryClient().fetchQuery({ queryKey: keys.user() })).rejects.toThrow(`${status}: No.`);
});

it("keeps local state for as long as the page is open", () => {
  const client = createQueryClient();
  const local = [keys.rejectedTexts("x"), keys.writing("x"), keys.suggestions(7), keys.followedPublishing()];
  for (const key of local) expect(client.getQueryDefaults(key)).toMatchObject({ gcTime: Number.POSITIVE_INFINITY });
  expect(client.getQueryDefaults(keys.projects())).toEqual({});
});

it("does not refetch invalid data when the window gets the focus", async () => {
  const client = createQueryClient();
  fetchMock.mockImplementation(async () => Response.json([]));
  await client.fetchQuery({ queryKey: keys.projects() });
  const unsubscribe = new QueryObserver(client, { queryKey: keys.projects() }).subscribe(() => undefined);
  await client.invalidateQueries({ queryKey: keys.projects(), refetchType: "none" });
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  expect(client.isFetching()).toBe(0);
  unsubscribe();
  focusManager.setFocused(undefined);
});

it("never retries a query, and never considers its data stale by itself", async () => {
  const client = createQueryClient();
  fetchMock.mockResolvedValueOnce(new Response("", { status: 500, statusText: "Down" }));
  await expect(client.fetchQuery({ queryKey: keys.projects() })).rejects.toThrow("500: Down");
  expect(fetchMock).toHaveBeenCalledTimes(1);

  fetchMock.mockResolvedValueOnce(Response.json([]));
  await client.fetchQuery({ queryKey: keys.projects() });
  const unsubscribe = new QueryObserver(client, { queryKey: keys.projects() }).subscribe(() => undefined);
  await client.fetchQuery({ queryKey: keys.projects() });
  unsubscribe();
  expect(fetchMock).toHaveBeenCalledTimes(2);
});

it("fails at once without a network, instead of waiting silently until there is one", async () => {
  onlineManager.setOnline(false);
  fetchMock.mockRejectedValue(new TypeError("Failed to fetch"));
  const client = createQueryClient();
  await expect(client.fetchQuery({ queryKey: keys.projects() })).rejects.toThrow("Failed to fetch");
  const save = new MutationObserver(client, { mutationFn: () => fetch("/api/projects") });
  fetchMock.mockClear();
  await expect(save.mutate()).rejects.toThrow("Failed to fetch");
  expect(fetchMock).toHaveBeenCalledTimes(1);
});
