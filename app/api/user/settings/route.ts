import { settingsInput, userOut } from "@/lib/features/account/schema";
import { saveSettings } from "@/lib/features/account/writes/settings";
import { route } from "@/lib/transport/route";

export const PATCH = route(
  { summary: "Saves provider key and site.", body: settingsInput, reply: userOut },
  ({ actor, body }) => saveSettings(actor, body),
);
