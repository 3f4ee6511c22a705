import { act, screen, within } from "@testing-library/react";
import { ConversationScreen } from "@/components/assistant/conversation-screen";
import { mockApi, renderScreen } from "@/tests/support/render";

export const START = "POST /api/chat/start";
export const MESSAGE = "POST /api/chat/message";
export const SESSION = "6f6d2b1c-2f57-4f0a-9a39-8f2f1c0d9e11";
export const started = () => ({
  json: { response: "Hello! What would you like to plan?", type: "chat", sessionId: SESSION },
});

export type Table = Parameters<typeof mockApi>[0];

/** Opens the assistant's screen. */
export function open(table: Table = {}, projectId: number | null = null) {
  const calls = mockApi({ [START]: started, ...table });
  return { calls, ...renderScreen(<ConversationScreen projectId={projectId} />) };
}

export const unreachable = () => {
  throw new TypeError("Failed to fetch");
};

export const log = () => within(screen.getByRole("log"));

/** Holds back the response until the returned function is called. */
export function held(json: unknown) {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fetched = global.fetch;
  global.fetch = jest.fn(async (url: string, init?: RequestInit) => {
    if (url !== "/api/chat/message") return fetched(url, init);
    await gate;
    return { ok: true, status: 200, headers: { get: () => null }, json: async () => json } as unknown as Response;
  }) as unknown as typeof fetch;
  return () => act(async () => release());
}
