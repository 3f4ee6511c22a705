"use client";

import type { ComponentProps } from "react";
import { SettingsGroup } from "@/components/account/settings/settings-group";
import { Button } from "@/components/ui/button";
import { useExport } from "@/lib/features/account/own-data/client";

/** Exports the user's data as a file. */
export function ExportData() {
  return (
    <SettingsGroup
      title="Export"
      about="Your projects, pieces with their earlier texts, keywords, saved instructions, chats and jobs as one zip of Markdown, CSV and JSON. No password and no key is in it."
    >
      <ExportButton variant="outline" className="w-fit">
        Export everything
      </ExportButton>
    </SettingsGroup>
  );
}

/** The export's button; busy until the export is saved. */
export function ExportButton(props: Omit<ComponentProps<typeof Button>, "onClick" | "pending">) {
  const save = useExport();
  return <Button {...props} pending={save.isPending} onClick={() => save.mutate()} />;
}
