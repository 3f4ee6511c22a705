import { api } from "@/lib/client/api";
import type { ChatResponse, chatResponse as ChatSchema } from "@/lib/features/assistant/schema";

/** Opens a conversation with the assistant, about a project or about none. */
export function startChat(projectId: number | null): Promise<{ response: string; sessionId: string }> {
  return api("POST", "/api/chat/start", { projectId });
}

/** Says something in a conversation; answers what the assistant said and made. */
export async function sendMessage(sessionId: string, message: string): Promise<ChatResponse> {
  // Loaded before anything is said: without it the answer could not be read.
  const { chatResponse } = await import("@/lib/features/assistant/schema");
  const { response } = await api<{ response: string }>("POST", "/api/chat/message", { message, sessionId });
  return readResponse(response, chatResponse);
}

/** A reply is plain text, or JSON of the documented shape; whatever else it holds is shown as it is. */
function readResponse(response: string, schema: typeof ChatSchema): ChatResponse {
  try {
    const parsed = schema.safeParse(JSON.parse(response));
    if (parsed.success) return parsed.data;
  } catch {
    // Not JSON: plain words.
  }
  return { type: "chat", message: response };
}
