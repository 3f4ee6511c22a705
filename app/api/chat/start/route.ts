import { startChatInput, startChatOut } from "@/lib/features/assistant/schema";
import { startChat } from "@/lib/features/assistant/writes";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "startChat",
    summary: "Opens a conversation with the planning assistant.",
    changes: [],
    body: startChatInput,
    example: { projectId: 3 },
    reply: startChatOut,
  },
  ({ actor, body }) => startChat(actor, body),
);
