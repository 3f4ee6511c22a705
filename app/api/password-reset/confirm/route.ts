import { messageOut, resetConfirmInput } from "@/lib/features/account/schema";
import { confirmReset } from "@/lib/features/account/writes/reset";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    summary: "Sets a new password with the token of a mailed link, and ends every session.",
    access: "anyone",
    body: resetConfirmInput,
    reply: messageOut,
  },
  async ({ body, origin }) => {
    const { message, device } = await confirmReset(body, origin);
    return new Reply({ message }, { device });
  },
);
