import { userOut } from "@/lib/features/account/schema";
import { registerInput } from "@/lib/features/account/sign-in/schema";
import { register } from "@/lib/features/account/sign-in/writes/sign-in";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "register",
    summary: "Creates an account and signs it in.",
    access: "anyone",
    body: registerInput,
    example: { username: "maren.holt", password: "a long phrase of my own" },
    reply: userOut,
    status: 201,
  },
  async ({ body, context }) => {
    const { user, ...cookies } = await register(body, context);
    return new Reply(user, cookies);
  },
);
