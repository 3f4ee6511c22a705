import { currentUser } from "@/lib/features/account/reads";
import { changeAccountInput, deleteAccountInput, userOut } from "@/lib/features/account/schema";
import { changeAccount, deleteAccount } from "@/lib/features/account/writes/account";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const GET = route({ summary: "The signed-in person.", reply: userOut }, ({ actor }) => currentUser(actor));

export const PATCH = route(
  { summary: "Changes username, e-mail or password.", body: changeAccountInput, reply: userOut },
  async ({ actor, sessionToken, body }) => {
    const { user, ...cookies } = await changeAccount(actor, sessionToken, body);
    return new Reply(user, cookies);
  },
);

export const DELETE = route(
  { summary: "Deletes the account with everything in it.", body: deleteAccountInput },
  async ({ actor, sessionToken, body }) => {
    await deleteAccount(actor, sessionToken, body);
    return new Reply(null, { session: "ended" });
  },
);
