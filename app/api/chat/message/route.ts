import { chatMessageInput, chatMessageOut } from "@/lib/features/assistant/schema";
import { sendMessage } from "@/lib/features/assistant/writes";
import { route } from "@/lib/transport/route";

export const maxDuration = 300;

export const POST = route(
  {
    operationId: "sendChatMessage",
    summary: "Sends a message to the planning assistant, which answers and does what was asked.",
    // What the assistant may create, also when its answer is lost.
    changes: ["project", "persona", "topic", "keyword"],
    isIncremental: true,
    body: chatMessageInput,
    example: { message: "Create a topic “Watering” with keywords: rain barrels, drip lines" },
    reply: chatMessageOut,
    limit: "ai",
    idempotent: "paid",
  },
  ({ actor, body }) => sendMessage(actor, body),
);
