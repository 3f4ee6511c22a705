"use server";
import { userOut } from "@/lib/features/account/schema";
import { settingsInput } from "@/lib/features/account/settings/schema";
import { saveSettings } from "@/lib/features/sites/writes/settings";
import { action } from "@/lib/transport/action";

export const saveSettingsAction = action(settingsInput, userOut, saveSettings);
