import { messageOut, resetConfirmInput } from "@/lib/features/account/schema";
import { confirmReset } from "@/lib/features/account/writes/reset";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    summary: "Sets a new password with the token of a mailed link, and ends every session.",
    access: "anyone",
    body: resetConfirmInput,
    reply: messageOut,
  },
  ({ body, origin }) => confirmReset(body, origin),
);
