import { handleNextAuth } from "@/lib/features/account/google/writes/oauth";
import { external } from "@/lib/transport/external";

const summary = "Sign-in with Google, as next-auth documents it.";

export const GET = external({ operationId: "getNextAuth", summary }, handleNextAuth);
export const POST = external({ operationId: "postNextAuth", summary }, handleNextAuth);
