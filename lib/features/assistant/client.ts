import { api } from "@/lib/client/api";
import type { ChatResponse, chatResponse as ChatSchema } from "@/lib/features/assistant/schema";

/** Opens a conversation with the assistant, about a project or about none. */
export function startChat(projectId: number | null): Promise<{ response: string; sessionId: string }> {
  return api("POST", "/api/chat/start", { projectId });
}

/** Sends a message; returns what the assistant said and created. */
export async function sendMessage(sessionId: string, message: string): Promise<ChatResponse> {
  // We load it before the message is sent: without it the reply could not be read.
  const { chatResponse } = await import("@/lib/features/assistant/schema");
  const { response } = await api<{ response: string }>("POST", "/api/chat/message", { message, sessionId });
  return readResponse(response, chatResponse);
}

/** A reply is JSON of the documented shape, or else plain text. */
function readResponse(response: string, schema: typeof ChatSchema): ChatResponse {
  try {
    const parsed = schema.safeParse(JSON.parse(response));
    if (parsed.success) return parsed.data;
  } catch {
    // Plain text.
  }
  return { type: "chat", message: response };
}
