import { settingsInput, userOut } from "@/lib/features/account/schema";
import { saveSettings } from "@/lib/features/account/writes";
import { route } from "@/lib/transport/route";

export const PATCH = route({ body: settingsInput, reply: userOut }, ({ actor, body }) => saveSettings(actor, body));
