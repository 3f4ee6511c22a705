import { messageOut, resetInput } from "@/lib/features/account/schema";
import { requestReset } from "@/lib/features/account/writes/reset";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    summary: "Mails a link to set a new password, if an account has this address.",
    access: "anyone",
    body: resetInput,
    reply: messageOut,
    status: 202,
  },
  ({ body, origin }) => requestReset(body, origin),
);
