import { deleteAccountInput } from "@/lib/features/account/own-data/schema";
import { currentUser } from "@/lib/features/account/reads";
import { userOut } from "@/lib/features/account/schema";
import { changeAccountInput } from "@/lib/features/account/settings/schema";
import { changeAccount } from "@/lib/features/account/settings/writes/account";
import { deleteAccount } from "@/lib/features/deletion/writes";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "getUser",
    summary: "The signed-in user.",
    shows: { nouns: ["account"], failed: "Your account did not load" },
    reply: userOut,
  },
  ({ actor }) => currentUser(actor),
);

export const PATCH = route(
  {
    operationId: "updateUser",
    summary: "Changes username, e-mail or password.",
    changes: ["account", "session"],
    body: changeAccountInput,
    example: { username: "maren.holt", currentPassword: "a long phrase of my own" },
    reply: userOut,
  },
  async ({ actor, sessionToken, body }) => {
    const { user, ...cookies } = await changeAccount(actor, sessionToken, body);
    return new Reply(user, cookies);
  },
);

export const DELETE = route(
  {
    operationId: "deleteUser",
    summary: "Deletes the account with everything in it.",
    changes: [],
    body: deleteAccountInput,
    example: { confirm: "maren.holt", password: "a long phrase of my own" },
  },
  async ({ actor, sessionToken, body }) => {
    await deleteAccount(actor, sessionToken, body);
    return new Reply(null, { session: "ended" });
  },
);
