import { testConnection } from "@/lib/features/publishing/reads";
import { connectionOut } from "@/lib/features/publishing/schema";
import { route } from "@/lib/transport/route";

export const POST = route({ reply: connectionOut }, ({ actor }) => testConnection(actor));
