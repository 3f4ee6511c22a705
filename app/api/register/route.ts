import { registerInput, userOut } from "@/lib/features/account/schema";
import { register } from "@/lib/features/account/writes/sign-in";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    summary: "Creates an account and signs it in.",
    access: "anyone",
    body: registerInput,
    reply: userOut,
    status: 201,
  },
  async ({ body, origin }) => {
    const { user, ...cookies } = await register(body, origin);
    return new Reply(user, cookies);
  },
);
