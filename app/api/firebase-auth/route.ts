import { idTokenInput, userOut } from "@/lib/features/account/schema";
import { signInWithIdToken } from "@/lib/features/account/writes/id-token";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    summary: "Signs in with an ID token sent as Authorization: Bearer.",
    access: "anyone",
    body: idTokenInput,
    reply: userOut,
  },
  async ({ request, body, origin }) => {
    const { user, ...cookies } = await signInWithIdToken(request.headers.get("authorization"), body, origin);
    return new Reply(user, cookies);
  },
);
