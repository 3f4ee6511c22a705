import { userOut } from "@/lib/features/account/schema";
import { idTokenInput } from "@/lib/features/account/sign-in/schema";
import { signInWithIdToken } from "@/lib/features/account/sign-in/writes/id-token";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "signInWithFirebase",
    summary: "Signs in with an ID token sent as Authorization: Bearer.",
    access: "anyone",
    body: idTokenInput,
    example: { displayName: "Maren Holt" },
    reply: userOut,
  },
  async ({ request, body, context }) => {
    const { user, ...cookies } = await signInWithIdToken(request.headers.get("authorization"), body, context);
    return new Reply(user, cookies);
  },
);
