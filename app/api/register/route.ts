import { registerInput, userOut } from "@/lib/features/account/schema";
import { register } from "@/lib/features/account/writes";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const POST = route({ access: "anyone", body: registerInput, reply: userOut }, async ({ body, origin }) => {
  const { user, session } = await register(body, origin);
  return new Reply(user, { session, status: 201 });
});
