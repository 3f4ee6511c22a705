import type { Metadata } from "next";
import { ConversationScreen } from "@/components/assistant/conversation-screen";
import { pageActor } from "@/lib/auth/actor";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Planning assistant" };

/** The planning assistant about no project yet. */
export default withRequestId(async function AssistantPage() {
  await pageActor();
  return <ConversationScreen projectId={null} />;
});
