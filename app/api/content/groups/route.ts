import { contentGroups } from "@/lib/features/content/reads";
import { contentGroupOut, contentGroupsQuery } from "@/lib/features/content/schema";
import { route } from "@/lib/transport/route";

export const GET = route({ query: contentGroupsQuery, reply: contentGroupOut.array() }, ({ actor, query }) =>
  contentGroups(actor, query),
);
