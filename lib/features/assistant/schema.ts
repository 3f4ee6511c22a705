import { z } from "zod";
import { ACTION_TYPES, MESSAGE_MAX } from "@/lib/features/assistant/rules";
import { text } from "@/lib/utils/zod";

export const startChatInput = z
  .object({
    /** A number, or its digits as in a page's address. */
    projectId: z
      .union([z.number().int(), z.string().regex(/^\d{1,15}$/)], "Choose a project.")
      .transform(Number)
      .nullish(),
  })
  .default({});

export const startChatOut = z.object({ response: z.string(), type: z.literal("chat"), sessionId: z.uuid() });

/** Without `sessionId` the message goes to the user's latest session. */
export const chatMessageInput = z.object({ message: text(MESSAGE_MAX, 1), sessionId: z.uuid().optional() });

export const chatMessageOut = z.object({
  response: z.string().meta({
    description:
      'Plain text, or JSON: { "type": "action", "actionType", "message", "actions" } when something was made, { "type": "chat", "message" } for text that is JSON itself.',
  }),
});

export const actionType = z.enum(ACTION_TYPES);

/** A `response` that holds JSON. */
export const chatResponse = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("action"),
    actionType,
    message: z.string(),
    /** It is not among the specified members, so it is optional when parsing. */
    actions: z
      .array(
        z.object({
          /** The tool that was called. */
          tool: z.string(),
          type: actionType,
          /** The id of what was made; absent for failures and for keywords. */
          id: z.number().int().optional(),
          label: z.string(),
          ok: z.boolean(),
          error: z.string().optional(),
          projectId: z.number().int().optional(),
          /** The topic, or the keywords' topic. */
          topicId: z.number().int().optional(),
          /** Its title or name, or the name of the keywords' topic. */
          name: z.string().optional(),
          description: z.string().optional(),
          /** The added keywords. */
          keywords: z.array(z.string()).optional(),
        }),
      )
      .default([]),
  }),
  z.object({ type: z.literal("chat"), message: z.string() }),
]);

export type StartChatInput = z.infer<typeof startChatInput>;
export type ChatMessageInput = z.infer<typeof chatMessageInput>;
export type ActionType = z.infer<typeof actionType>;
export type ChatResponse = z.infer<typeof chatResponse>;
export type ChatAction = Extract<ChatResponse, { type: "action" }>["actions"][number];
