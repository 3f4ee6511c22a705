import { resetInput } from "@/lib/features/account/reset/schema";
import { requestReset } from "@/lib/features/account/reset/writes";
import { messageOut } from "@/lib/features/account/schema";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "requestPasswordReset",
    summary: "Mails a link to set a new password, if an account has this address.",
    access: "anyone",
    body: resetInput,
    example: { email: "maren@example.com" },
    reply: messageOut,
    status: 202,
  },
  ({ body, context }) => requestReset(body, context),
);
