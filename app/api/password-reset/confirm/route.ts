import { resetConfirmInput } from "@/lib/features/account/reset/schema";
import { confirmReset } from "@/lib/features/account/reset/writes";
import { messageOut } from "@/lib/features/account/schema";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "confirmPasswordReset",
    summary: "Sets a new password with the token of a mailed link, and ends every session.",
    access: "anyone",
    body: resetConfirmInput,
    example: { token: "the part of the link after #token=", password: "a wholly other long phrase" },
    reply: messageOut,
  },
  async ({ body, context }) => {
    const { message, device } = await confirmReset(body, context);
    return new Reply({ message }, { device });
  },
);
