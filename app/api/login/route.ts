import { loginInput, userOut } from "@/lib/features/account/schema";
import { signIn } from "@/lib/features/account/writes/sign-in";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const POST = route(
  { summary: "Signs in with username or e-mail and password.", access: "anyone", body: loginInput, reply: userOut },
  async ({ body, origin }) => {
    const { user, ...cookies } = await signIn(body, origin);
    return new Reply(user, cookies);
  },
);
