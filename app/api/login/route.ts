import { userOut } from "@/lib/features/account/schema";
import { loginInput } from "@/lib/features/account/sign-in/schema";
import { signIn } from "@/lib/features/account/sign-in/writes/sign-in";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "login",
    summary: "Signs in with username or e-mail and password.",
    access: "anyone",
    body: loginInput,
    example: { username: "maren.holt", password: "a long phrase of my own" },
    reply: userOut,
  },
  async ({ body, context }) => {
    const { user, ...cookies } = await signIn(body, context);
    return new Reply(user, cookies);
  },
);
