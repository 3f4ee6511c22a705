import { testConnection } from "@/lib/features/publishing/reads";
import { connectionOut } from "@/lib/features/publishing/schema";
import { route } from "@/lib/transport/route";

export const POST = route(
  { summary: "Looks at the site with the stored credentials.", reply: connectionOut },
  ({ actor }) => testConnection(actor),
);
