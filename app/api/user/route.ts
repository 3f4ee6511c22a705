import { currentUser } from "@/lib/features/account/reads";
import { userOut } from "@/lib/features/account/schema";
import { route } from "@/lib/transport/route";

export const GET = route({ summary: "The signed-in person.", reply: userOut }, ({ actor }) => currentUser(actor));
