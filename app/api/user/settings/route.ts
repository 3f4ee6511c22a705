import { userOut } from "@/lib/features/account/schema";
import { settingsInput } from "@/lib/features/account/settings/schema";
import { saveSettings } from "@/lib/features/sites/writes/settings";
import { route } from "@/lib/transport/route";

export const PATCH = route(
  {
    operationId: "updateUserSettings",
    summary: "Saves provider key and site.",
    // Another site has other categories and other pieces.
    changes: ["account", "site", "category", "piece"],
    body: settingsInput,
    example: { wordpressUsername: "editor" },
    reply: userOut,
  },
  ({ actor, body }) => saveSettings(actor, body),
);
