import { MutationObserver, onlineManager, QueryObserver } from "@tanstack/react-query";
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

it("takes a 401 on the current user for nobody, and for an error anywhere else", async () => {
  const refusal = () => Response.json({ error: "Sign in.", type: "UNAUTHENTICATED" }, { status: 401 });
  fetchMock.mockImplementation(async () => refusal());
  const client = createQueryClient();
  await expect(client.fetchQuery({ queryKey: keys.user() })).resolves.toBeNull();
  await expect(client.fetchQuery({ queryKey: keys.projects() })).rejects.toThrow("401: Sign in.");
});

it("tries nothing twice and never finds data stale by itself", async () => {
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
  await expect(save.mutate()).rejects.toThrow("Failed to fetch");
});
